internal import CLinux
internal import Glibc

/// Another program in the place of this one: it keeps the process's number, parent, terminal,
/// group and standard streams.
extension ThisProcess {
  /// A descriptor that becomes readable when the process ends, whatever program it runs then; `nil`
  /// when the system has none.
  package static var handle: OpenFile? {
    let descriptor = gatebook_process_handle(id)
    return descriptor >= 0 ? OpenFile(taking: descriptor) : nil
  }

  /// Sets a variable of the environment for what is started from now on.
  ///
  /// - Parameters:
  ///   - name: Not empty, and without `=`.
  ///   - value: Without NUL.
  /// - Returns: Whether there was room for it.
  package static func setEnvironment(_ name: String, to value: String) -> Bool {
    // The name may be there more than once.
    unsetenv(name) == 0 && setenv(name, value, 1) == 0
  }

  /// Runs a program in the place of this one.
  ///
  /// It begins as if it had been started directly: signals have their usual effect unless the
  /// parent of this process ignores them, none is blocked, and the limit of core dumps is the
  /// parent's.
  ///
  /// - Parameter line: Its path, or a name that is looked for in PATH, and its arguments.
  /// - Returns: Why it could not be run; otherwise this never returns.
  package static func become(_ line: [String]) -> SystemError {
    // From here on a signal ends this process as it would end the program.
    for number in [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT] where !SignalAction.isIgnored(number)
    {
      SignalAction.reset(number)
    }
    if !SignalAction.ignoredPipesBefore { SignalAction.reset(SIGPIPE) }
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    CoreDump.handLimitOn()
    let words = line.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    execvp(line.first ?? "", words)
    let error = SystemError.last
    SignalAction.ignore(SIGPIPE)
    return error
  }
}
