/** Why a program must be listed by its exact name. */
export interface ProgramRisk {
  /** Continues the sentence after the program's name. */
  readonly why: string;
  readonly hint?: string;
  /** Listing does not allow it either. */
  readonly always?: true;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

export const SHELLS = words(
  "sh bash rbash dash ash zsh rzsh ksh mksh pdksh yash posh fish csh tcsh elvish nu pwsh",
);

/** Programs that start what their arguments name. */
const STARTERS = words(
  `eval exec command builtin source . env xargs nohup timeout gtimeout time gtime nice ionice chrt taskset setsid stdbuf
   unbuffer sudo doas su runuser setpriv capsh chroot unshare nsenter bwrap firejail systemd-run start-stop-daemon
   strace ltrace gdb script expect watch parallel flock busybox toybox at batch crontab ssh run-parts entr dtach screen tmux
   coproc linux32 linux64 setarch i386 x86_64 proot fakeroot faketime catchsegv valgrind perf prlimit numactl`,
);

/** Bash builtins that change the meaning of later words. */
const STATE = words(
  `alias unalias set shopt export declare typeset local readonly unset let read mapfile readarray getopts trap hash enable
   bind complete compgen compopt fc history wait jobs`,
);

/** Names that bash does not look up on PATH. */
const BUILTINS = words(
  `: . [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo enable
   eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd
   read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias
   unset wait`,
);

export function isBuiltin(name: string): boolean {
  return BUILTINS.has(name);
}

/** @param name The last part of the program's word, in lower case. */
export function programRisk(name: string, args: readonly string[]): ProgramRisk | undefined {
  if (SHELLS.has(name) || STARTERS.has(name) || /^ld(-[\w.-]+)?\.so(\.|$)/.test(name))
    return { why: "starts other programs" };
  if (STATE.has(name)) return { why: "changes the meaning of later commands" };
  if (/^(printf|test|\[)$/.test(name) && args.some((arg) => /^-(v|R$)/.test(arg)))
    return {
      why: "sets or reads variables with -v and -R, which can run commands",
      hint: "Leave the option out.",
      always: true,
    };
  return undefined;
}
