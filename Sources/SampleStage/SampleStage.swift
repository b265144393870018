package import Gatebook
internal import GatebookCurl
internal import GatebookFakes

/// What a sample plays on: a MobileFirst server, a book, and the settings of its app.
package struct SampleStage: Sendable {
  /// The book.
  package let book: SessionBook
  /// The app as the server knows it.
  package let app: MobileFirstApp
  /// The resource that only a person who has logged in may see.
  package let balance: HTTPURL
  private let fake: FakeMobileFirstServer?
  private let throwAway: ThrowAwayFolder?

  /// Sets the stage: a fake server and a book that is thrown away, unless the options name others.
  ///
  /// - Throws: `configuration.invalid`, or why there is no book.
  @MainActor package init(_ options: SampleOptions, program: String) async throws(GatebookError) {
    let fake: FakeMobileFirstServer?
    let server: HTTPURL
    if let url = options.server {
      fake = nil
      server = url
    } else {
      let started = try FakeMobileFirstServer.sample()
      try started.start()
      fake = started
      server = try Self.url("\(started.url)/mfp")
      Terminal.say(
        "A fake server runs at \(server). Log in with any user name; the password is the same as the "
          + "name.")
    }
    self.fake = fake
    app = MobileFirstApp(server: server, applicationID: options.application, version: "1.0")
    let base = server.path.hasSuffix("/") ? String("\(server)".dropLast()) : "\(server)"
    balance = try Self.url("\(base)/api/adapters/ResourceAdapter/balance")
    let throwAway = options.folder == nil ? try ThrowAwayFolder() : nil
    self.throwAway = throwAway
    StageInterruption.watch { throwAway?.remove() }
    let folder = options.folder ?? throwAway?.path ?? "."
    book = try await SessionBook.open(
      at: "\(folder)/sample.gatebook", key: AutomaticKey(folder: "\(folder)/keys"),
      // A real app makes the identity of its installation once, and keeps it with its settings.
      program: Program(
        name: program, version: "1.0", installation: InstallationID(high: 0, low: 1)),
      transport: CurlTransport())
  }

  /// Closes the book and stops the fake server; what was only for this run is removed.
  package func clear() async {
    await book.close()
    fake?.stop()
    throwAway?.remove()
  }

  private static func url(_ text: String) throws(GatebookError) -> HTTPURL {
    guard let url = HTTPURL(text) else {
      throw GatebookError(
        .configurationInvalid, "The server's URL is not valid.",
        remedy: "Give it with its context path and without a query.")
    }
    return url
  }
}

extension SampleStage {
  /// Runs a sample from its arguments to its exit: sets the stage, plays on it, and clears it.
  ///
  /// - Parameters:
  ///   - program: The sample's name.
  ///   - play: What the sample does; an error is said and ends it.
  /// - Returns: The exit: 0, 1 after an error, 2 for arguments that no sample understands. A signal
  ///   ends the program with 130.
  @MainActor package static func run(
    _ program: String, play: (SampleStage) async throws(GatebookError) -> Void
  ) async -> Int32 {
    let options: SampleOptions
    do throws(SampleOptions.Refusal) {
      options = try SampleOptions(Array(CommandLine.arguments.dropFirst()))
    } catch {
      if case .wrong(let what) = error { Terminal.say(what) }
      Terminal.say(SampleOptions.usage(of: program))
      return error == .help ? 0 : 2
    }
    do throws(GatebookError) {
      let stage = try await SampleStage(options, program: program)
      do throws(GatebookError) {
        try await play(stage)
        await stage.clear()
      } catch {
        await stage.clear()
        throw error
      }
      return 0
    } catch {
      Terminal.say(error)
      return 1
    }
  }
}
