internal import GatebookSystem

@main struct Main {
  static func main() async {
    CoreDump.forbid()
    SignalAction.ignorePipes()
    // Who quits wants the end now, as after a second Ctrl-C: the runtime would try to print where
    // each thread is and what its memory holds. It can hang at that with an account's lock in its
    // hands, and after that a signal which somebody sent has no effect.
    for number in Signal.dumping where !SignalAction.isIgnored(number) {
      SignalAction.reset(number)
    }
    let interruption = Interruption.prepare()
    let run = Task { @MainActor in
      let code = await Invocation(
        line: Self.arguments, surroundings: .ofProcess(),
        results: Descriptor(1), messages: Descriptor(2), interruption: interruption
      ).run()
      Terminal.restore()
      // Everything is written by now. `exit` would run the libraries' clean-up while the threads
      // that use them still end.
      ThisProcess.exitAtOnce(code.rawValue)
    }
    interruption?.watch { run.cancel() }
    // The task ends the process. If its value were awaited, the runtime would start three threads.
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
  }

  /// What follows the program's name, after what that name stands for.
  ///
  /// `nil` for what is no text: made to one it would name another file.
  private static var arguments: [String?] {
    let words = (0..<Int(CommandLine.argc)).map { index in
      CommandLine.unsafeArgv[index].flatMap { String(validatingCString: $0) }
    }
    return ProgramName.words(words.first ?? nil) + words.dropFirst()
  }
}
