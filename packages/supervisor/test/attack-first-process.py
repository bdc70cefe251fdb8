"""Attacks the first process of the PID namespace in every way that a process of the same user has, and prints as JSON
what came of each attack: an error's name, or "succeeded"."""
import ctypes
import errno
import fcntl
import json
import os
import platform
import sys

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
ARM = platform.machine() == "aarch64"
NUMBERS = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424),
    "kill": (62, 129),
    "tgkill": (234, 131),
    "rt_sigqueueinfo": (129, 138),
    "prlimit64": (302, 261),
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
    "sched_setscheduler": (144, 119),
    "sched_setaffinity": (203, 122),
}


def call(name, *arguments):
    ctypes.set_errno(0)
    values = [value if isinstance(value, ctypes.Array) else ctypes.c_long(value) for value in arguments]
    result = libc.syscall(ctypes.c_long(NUMBERS[name][ARM]), *values)
    if result < 0:
        raise OSError(ctypes.get_errno(), name)
    return result


def read(path):
    with open(path, "rb", buffering=0) as file:
        return file.read(16)


def write(path, text):
    with open(path, "wb", buffering=0) as file:
        file.write(text)


def memory(name):
    buffer = ctypes.create_string_buffer(16)
    local = (ctypes.c_long * 2)(ctypes.addressof(buffer), 16)
    remote = (ctypes.c_long * 2)(0x400000, 16)
    call(name, 1, local, 1, remote, 1, 0)


def take_descriptors(pidfd):
    taken = 0
    for number in range(16):
        try:
            call("pidfd_getfd", pidfd, number, 0)
            taken += 1
        except OSError as error:
            last = error
    if not taken:
        raise last


ATTACH, SEIZE = 16, 0x4206
READS = {
    "read environment": lambda: read("/proc/1/environ"),
    "read maps": lambda: read("/proc/1/maps"),
    "read auxv": lambda: read("/proc/1/auxv"),
    "enter root": lambda: os.listdir("/proc/1/root/"),
    "read link of directory": lambda: os.readlink("/proc/1/cwd"),
    "list descriptors": lambda: os.listdir("/proc/1/fd"),
}
ATTACKS = {
    "ptrace attach": lambda: call("ptrace", ATTACH, 1, 0, 0),
    "ptrace seize": lambda: call("ptrace", SEIZE, 1, 0, 0),
    "read memory": lambda: read("/proc/1/mem"),
    "write memory": lambda: write("/proc/1/mem", b"x"),
    "open the report": lambda: open("/proc/1/fd/3", "wb"),
    "change its score": lambda: write("/proc/1/oom_score_adj", b"1000"),
    "process_vm_readv": lambda: memory("process_vm_readv"),
    "process_vm_writev": lambda: memory("process_vm_writev"),
    "pidfd_getfd": lambda: take_descriptors(call("pidfd_open", 1, 0)),
    "pidfd_getfd of its directory": lambda: take_descriptors(os.open("/proc/1", os.O_RDONLY)),
}
# The kernel accepts these without an effect, or with one that is not deadly at once. The filter refuses them.
CHANGES = {
    "signal by pidfd": lambda: call("pidfd_send_signal", os.open("/proc/1", os.O_RDONLY), 9, 0, 0),
    "SIGKILL": lambda: call("kill", 1, 9),
    "SIGSTOP": lambda: call("kill", 1, 19),
    "SIGTERM": lambda: call("kill", 1, 15),
    "SIGTERM with a value": lambda: call("rt_sigqueueinfo", 1, 15, ctypes.create_string_buffer(128)),
    "SIGKILL to its thread": lambda: call("tgkill", 1, 1, 9),
    "SIGCHLD": lambda: call("kill", 1, 17),
    "setpriority": lambda: call("setpriority", 0, 1, 10),
    "setpriority of the user": lambda: call("setpriority", 2, os.getuid(), 11),
    "ioprio_set": lambda: call("ioprio_set", 1, 1, 3 << 13),
    "sched_setscheduler": lambda: call("sched_setscheduler", 1, 5, (ctypes.c_int * 1)(0)),
    "sched_setaffinity": lambda: call("sched_setaffinity", 1, 128, ctypes.create_string_buffer(b"\xff", 128)),
    "pidfd_open": lambda: call("pidfd_open", 1, 0),
}
# Ends the first process at its next second of processor time.
CHANGES["prlimit"] = lambda: call("prlimit64", 1, 4, (ctypes.c_ulong * 2)(0, 0), 0)

results = {}
kinds = {"reads": READS, "attacks": ATTACKS, "changes": CHANGES}
for name, attack in [item for kind in sys.argv[1:] for item in kinds.get(kind, {}).items()]:
    try:
        attack()
        results[name] = "succeeded"
    except OSError as error:
        results[name] = errno.errorcode.get(error.errno, str(error.errno))
if "signals" in sys.argv:
    for number in [*range(1, 32), *range(34, 65)]:
        os.kill(1, number)
        # The kernel sends this one in the name of the first process, as the owner of a descriptor.
        reader, writer = os.pipe()
        fcntl.fcntl(reader, fcntl.F_SETOWN, 1)
        fcntl.fcntl(reader, getattr(fcntl, "F_SETSIG", 10), number)
        fcntl.fcntl(reader, fcntl.F_SETFL, os.O_ASYNC)
        os.write(writer, b"x")
print(json.dumps(results))
