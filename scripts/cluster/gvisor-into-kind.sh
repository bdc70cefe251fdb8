#!/bin/sh
# Puts gVisor into the node of a cluster of kind, and makes the RuntimeClasses that the tests use.
set -eu
node=kind-control-plane
release=https://storage.googleapis.com/gvisor/releases/release/latest/x86_64
for program in runsc containerd-shim-runsc-v1; do
  curl -fsSL -o "/tmp/$program" "$release/$program"
  chmod 755 "/tmp/$program"
  docker cp "/tmp/$program" "$node:/usr/local/bin/$program"
done
docker exec -i "$node" sh -c 'cat > /etc/containerd/runsc-offline.toml' <<'END'
[runsc_config]
  network = "none"
END
docker exec -i "$node" sh -c 'cat >> /etc/containerd/config.toml' <<'END'

[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runsc]
  runtime_type = "io.containerd.runsc.v1"

[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runsc-offline]
  runtime_type = "io.containerd.runsc.v1"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runsc-offline.options]
    TypeUrl = "io.containerd.runsc.v1.options"
    ConfigPath = "/etc/containerd/runsc-offline.toml"
END
docker exec "$node" systemctl restart containerd
kubectl apply -f - <<'END'
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: { name: gvisor }
handler: runsc
---
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: { name: gvisor-offline }
handler: runsc-offline
END
kubectl wait --for=condition=Ready nodes --all --timeout=120s
