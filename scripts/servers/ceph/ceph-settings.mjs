/**
 * The configuration file of all programs of a cluster.
 *
 * @param {{ folder: string, cluster: string, monitors: string, gatewayPort: number }} place `monitors` is a map of them.
 */
export function cephSettings({ folder, cluster, monitors, gatewayPort }) {
  return `[global]
fsid = ${cluster}
# By their address alone a daemon does not know at first which cluster it speaks to, and is refused now and then.
monmap = ${monitors}
public addr = 127.0.0.1
cluster addr = 127.0.0.1
auth cluster required = none
auth service required = none
auth client required = none
run dir = ${folder}/run
admin socket = ${folder}/run/$name.asok
log file = /dev/null
log to stderr = true
mon cluster log to file = false
# A daemon that finds its port taken says so and ends.
ms bind retry count = 1
ms bind retry delay = 0

[mon]
mon data avail crit = 1
mon data avail warn = 1
mon allow pool size one = true
mon max pg per osd = 1000
mon osd auto mark in = true
# A change is agreed on at once instead of once a second: there is nobody to agree with.
paxos propose interval = 0.02
paxos min wait = 0.01
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd pool default pgp num = 4
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0

[mon.a]
mon data = ${folder}/mon

[osd]
osd objectstore = memstore
memstore device bytes = 8589934592
# The monitor has its place in the map already.
osd crush update on start = false
osd class update on start = false

[osd.0]
osd data = ${folder}/osd

[client]
rgw frontends = beast endpoint=127.0.0.1:${gatewayPort} tcp_nodelay=1
rgw dns name = localhost
rgw rados pool pg num min = 4
rgw run sync thread = false
rgw dynamic resharding = false
rgw override bucket index max shards = 1
rgw thread pool size = 64
`;
}
