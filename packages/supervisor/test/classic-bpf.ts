/** One instruction of `struct sock_filter`. */
interface Instruction {
  readonly code: number;
  readonly onTrue: number;
  readonly onFalse: number;
  readonly operand: number;
}

/** The input of a filter: `struct seccomp_data`, without the instruction pointer. */
export interface SystemCall {
  readonly number: number;
  /** AUDIT_ARCH of the calling convention. */
  readonly abi: number;
  readonly args?: readonly bigint[];
}

const [loadWord, jumpIfEqual, jumpIfGreater, jumpIfAnyBit, answerWith] = [0x20, 0x15, 0x25, 0x45, 0x06];

export function instructionsOf(bytes: Buffer): Instruction[] {
  if (bytes.length === 0 || bytes.length % 8 !== 0) throw new Error(`no program has ${bytes.length} bytes`);
  return Array.from({ length: bytes.length / 8 }, (_, index) => ({
    code: bytes.readUInt16LE(index * 8),
    onTrue: bytes.readUInt8(index * 8 + 2),
    onFalse: bytes.readUInt8(index * 8 + 3),
    operand: bytes.readUInt32LE(index * 8 + 4),
  }));
}

/** Runs a classic BPF program on a call, as the kernel does. Returns the error of the call, or 0 if it is permitted. */
export function answerTo(program: readonly Instruction[], call: SystemCall): number {
  const data = seccompData(call);
  let accumulator = 0;
  for (let at = 0; ; at++) {
    const instruction = program[at];
    if (!instruction) throw new Error("the program has no answer");
    const { code, operand } = instruction;
    if (code === loadWord) accumulator = data.readUInt32LE(operand);
    else if (code === answerWith) return errorIn(operand);
    else at += holds(code, accumulator, operand) ? instruction.onTrue : instruction.onFalse;
  }
}

function seccompData({ number, abi, args = [] }: SystemCall): Buffer {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number >>> 0, 0);
  data.writeUInt32LE(abi, 4);
  args.forEach((value, index) => {
    data.writeBigUInt64LE(BigInt.asUintN(64, value), 16 + index * 8);
  });
  return data;
}

function holds(code: number, accumulator: number, operand: number): boolean {
  if (code === jumpIfEqual) return accumulator === operand;
  if (code === jumpIfGreater) return accumulator > operand;
  if (code === jumpIfAnyBit) return (accumulator & operand) !== 0;
  throw new Error(`unknown instruction ${code}`);
}

/** SECCOMP_RET_ALLOW, or SECCOMP_RET_ERRNO with the error in its low half. */
function errorIn(answer: number): number {
  if (answer === 0x7fff0000) return 0;
  if (answer >>> 16 === 0x0005) return answer & 0xffff;
  throw new Error(`unexpected answer ${answer.toString(16)}`);
}
