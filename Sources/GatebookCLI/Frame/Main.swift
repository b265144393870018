internal import Glibc

@main struct Main {
  static func main() async {
    // A reader that went away is seen by `write`, not by a signal.
    signal(SIGPIPE, SIG_IGN)
    let interruption = Interruption.prepare()
    let run = Task { @MainActor in
      await Invocation(
        Array(CommandLine.arguments.dropFirst()), surroundings: .ofProcess(),
        results: Descriptor(1), messages: Descriptor(2), interruption: interruption
      ).run()
    }
    interruption?.watch { run.cancel() }
    let code = await run.value
    // Everything is written by now. `exit` would run the libraries' clean-up while the threads that
    // use them still end.
    _exit(code.rawValue)
  }
}
