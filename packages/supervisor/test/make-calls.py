"""Makes system calls and prints the error of each: `python3 make-calls.py '[[NUMBER, ARGUMENT, ...], ...]'`."""
import ctypes
import json
import mmap
import sys

libc = ctypes.CDLL(None, use_errno=True)


def call(number, *arguments):
    ctypes.set_errno(0)
    libc.syscall.restype = ctypes.c_long
    result = libc.syscall(ctypes.c_long(number), *(ctypes.c_long(value) for value in arguments))
    return 0 if result >= 0 else ctypes.get_errno()


def call_as_i386(number):
    """Executes `int 0x80` with this number, which is another ABI than the process's own."""
    memory = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    memory.write(b"\xb8" + number.to_bytes(4, "little") + b"\xcd\x80\xc3")
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    result = ctypes.CFUNCTYPE(ctypes.c_int)(address)()
    return -result if result < 0 else 0


if sys.argv[1] == "i386":
    print(json.dumps(call_as_i386(int(sys.argv[2]))))
else:
    print(json.dumps([call(*one) for one in json.loads(sys.argv[1])]))
