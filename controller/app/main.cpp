#include <unistd.h>

#include <csignal>
#include <iostream>

#include "controller/app/cli.h"
#include "controller/app/console_log.h"
#include "controller/app/system_clock.h"

int main(int argc, char** argv) {
  using namespace sconverge;
  std::signal(SIGPIPE, SIG_IGN);  // a reader that went away is an error of the write
  const SystemClock clock;
  Console console{std::cin, std::cout, std::cerr, clock};
  console.out_is_terminal = ::isatty(STDOUT_FILENO) == 1;
  console.err_is_terminal = ::isatty(STDERR_FILENO) == 1;
  console.root = ::geteuid() == 0;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string text = *variable;
    const auto equals = text.find('=');
    if (equals == std::string::npos) continue;
    console.variables[text.substr(0, equals)] = text.substr(equals + 1);
  }
  console.err_is_journal = is_journal(STDERR_FILENO, console.variables);
  return run_cli({argv + 1, argv + argc}, console);
}
