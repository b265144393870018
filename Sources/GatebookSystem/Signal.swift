internal import Glibc

/// The numbers of signals, as signal(7) lists them.
package enum Signal {
  package static let continuing = SIGCONT
  package static let hangUp = SIGHUP
  package static let interrupt = SIGINT
  package static let pipe = SIGPIPE
  package static let quit = SIGQUIT
  package static let reading = SIGTTIN
  package static let stop = SIGTSTP
  package static let terminate = SIGTERM
  /// Those that end a process with an image of its memory.
  package static let dumping = [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP]
}
