"""
Tries to outlive its sandbox and to forge its exit code. It attaches to the first process, clears that one's parent-death
signal, takes its descriptors and writes an exit code of 0 into each event counter among them, stops and kills it. Prints
what succeeded, leaves a process with the text of the first argument on its command line, and ends with 7.
"""

import ctypes
import os
import platform
import signal
import struct
import sys

libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
libc.ptrace.restype = ctypes.c_long
INIT = 1
ATTACH, DETACH, GET_REGISTERS, SET_REGISTERS, SINGLE_STEP = 16, 17, 12, 13, 9
RAX, RSI, RDI, ORIG_RAX, RIP = 10, 13, 14, 15, 16
PRCTL, SET_PARENT_DEATH_SIGNAL = 157, 1
PIDFD_OPEN, PIDFD_GETFD = 434, 438


def attempt(name, work):
    try:
        if work():
            print(name, flush=True)
    except OSError:
        pass


def leave_a_process(text):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            null = os.open("/dev/null", os.O_RDWR)
            for descriptor in range(3):
                os.dup2(null, descriptor)
            os.execv("/bin/sh", ["sh", "-c", "sleep 300; true", text])
        os._exit(0)
    os.wait()


def clear_parent_death_signal():
    if libc.ptrace(ATTACH, INIT, None, None) != 0:
        return False
    os.waitpid(INIT, 0x40000000)
    if platform.machine() == "x86_64":
        registers = (ctypes.c_ulong * 27)()
        libc.ptrace(GET_REGISTERS, INIT, None, ctypes.addressof(registers))
        changed = (ctypes.c_ulong * 27)(*registers)
        # It waits in a system call, whose instruction lies two bytes back.
        changed[RIP] -= 2
        changed[RAX], changed[RDI], changed[RSI] = PRCTL, SET_PARENT_DEATH_SIGNAL, 0
        changed[ORIG_RAX] = ctypes.c_ulong(-1).value
        libc.ptrace(SET_REGISTERS, INIT, None, ctypes.addressof(changed))
        libc.ptrace(SINGLE_STEP, INIT, None, None)
        os.waitpid(INIT, 0x40000000)
        libc.ptrace(SET_REGISTERS, INIT, None, ctypes.addressof(registers))
    libc.ptrace(DETACH, INIT, None, None)
    return True


def take_descriptors():
    first = libc.syscall(PIDFD_OPEN, INIT, 0)
    taken = []
    for number in range(64):
        copy = libc.syscall(PIDFD_GETFD, first, number, 0)
        if copy < 0:
            continue
        taken.append(number)
        if "eventfd" in os.readlink(f"/proc/self/fd/{copy}"):
            os.write(copy, struct.pack("Q", 1))
    return taken


leave_a_process(sys.argv[1])
attempt("ptrace", clear_parent_death_signal)
attempt("memory", lambda: os.open(f"/proc/{INIT}/mem", os.O_RDWR) >= 0)
attempt("descriptors", take_descriptors)
# These signals are refused or lost; if one arrived, nothing below would be printed.
attempt("", lambda: os.kill(INIT, signal.SIGSTOP))
attempt("", lambda: os.kill(INIT, signal.SIGKILL))
print("end", flush=True)
sys.exit(7)
