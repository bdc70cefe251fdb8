/* `init`: inside, as the first process of a PID namespace. Its own end is the end of every process in it. */
#include "supervisor.h"
#include <signal.h>
#include <unistd.h>

int init(const struct options *options) {
  static struct watch watch;
  if (!options->program) fail("init needs a program", "");
  if (getpid() != 1) fail("init is not the first process of a PID namespace", "");
  close_others(options);
  begin_watch(&watch, options, "ended", true);
  if (!start_child(&watch, true)) return 0;
  leave_streams();
  while (!watch.child_ended && !watch.ending) {
    wait_for_event(&watch, -1);
    reap(&watch);
    for (int signal; !watch.child_ended && (signal = next_signal(&watch));) kill(-watch.child, signal);
  }
  if (watch.child_ended) report_space(options);
  return 0;
}
