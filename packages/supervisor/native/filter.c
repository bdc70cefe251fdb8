#include "supervisor.h"
#include <sys/prctl.h>
size_t filter_program(enum filter filter, enum architecture architecture, const void **program) { (void)filter; (void)architecture; *program = NULL; return 0; }
bool set_filter(enum filter filter) { (void)filter; return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0; }
