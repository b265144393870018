internal import Gatebook
internal import GatebookSystem

/// `gatebook __renew`: the process that refreshes the token of a program which `exec` runs; started
/// by `exec`, and by no person.
///
/// It is no child of that program, which could wait for it, and in a session of its own, where no
/// key of the terminal reaches it. It ends with the program.
struct RenewCommand: Command {
  private static let folder = CommandOption.value("--folder", "PATH", "the folder of the token")
  private static let expiry = CommandOption.value("--expiry", "T", "microseconds since 1970")
  private static let seen = CommandOption.value(
    "--seen", "MARK", "the session that the token is of")
  private static let passphrase = CommandOption.flag("--passphrase", "it can be read")
  private static let isDetached = CommandOption.flag("--detached", "it is the second process")

  static let help = Help(
    "__renew", "Refresh the token of a program until that ends.", in: .use,
    options: [
      folder, expiry, seen, passphrase, isDetached, TokenCommand.lifetime, TokenCommand.scope,
      LoginArguments.timeoutOption,
    ], examples: [])

  /// The numbers of what it inherits.
  private enum Inherited: Int32, CaseIterable {
    /// The program's process.
    case program = 3
    /// What keeps the token's place.
    case place
    /// A pipe with the book's passphrase.
    case passphrase
  }

  /// Starts it beside this process, whose place the program will take.
  ///
  /// - Parameters:
  ///   - renewed: Where the token is.
  ///   - account: Whose it is.
  ///   - expiry: When it expires; `nil` if the server did not say.
  ///   - seen: The session as it was before the token was taken; `nil` if it could not be read.
  ///   - passphrase: The book's passphrase; `nil` where nobody was asked for it.
  ///   - call: The call of `exec`.
  /// - Throws: `limit.exceeded`.
  @MainActor static func start(
    _ renewed: RenewedToken, of account: AccountID, validUntil expiry: Timestamp?,
    seen: String?, passphrase: Secret?, _ call: Call
  ) throws(GatebookError) {
    guard let program = ThisProcess.handle, let pipe = Pipe() else { throw failure(.last) }
    defer {
      FileDescriptor.close(pipe.output)
      FileDescriptor.close(pipe.input)
    }
    if let passphrase {
      let line = passphrase.withBytes { Array($0) } + [UInt8(ascii: "\n")]
      // Longer than the pipe it would wait for a reader that does not run yet.
      guard line.count <= 65_536, FileDescriptor.write(line, to: pipe.input) else {
        throw failure(.last)
      }
    }
    // Numbers above those that the process gets: none is overwritten before it is copied.
    let copies = [program.descriptor, renewed.descriptor, pipe.output].map {
      FileDescriptor.copy($0, notBelow: 16)
    }
    defer { for case let copy? in copies { FileDescriptor.close(copy) } }
    let streams = copies.compactMap { $0.map(ChildProcess.Stream.descriptor) }
    guard streams.count == copies.count,
      let process = ChildProcess(
        "/proc/self/exe", line(renewed, account, expiry, seen, passphrase != nil, call),
        streams: [.nothing, .nothing, .inherited] + streams), process.wait()?.isFailure == false
    else { throw failure(.last) }
  }

  private static func failure(_ error: SystemError) -> GatebookError {
    GatebookError(
      .limitExceeded, "The process that refreshes the token could not be started.",
      kept: "\(GatebookError.sessionKept) The program was not started.",
      remedy: "End other programs, then try again. `--env NAME` needs no such process.",
      cause: error.text)
  }

  @MainActor private static func line(
    _ renewed: RenewedToken, _ account: AccountID, _ expiry: Timestamp?, _ seen: String?,
    _ hasPassphrase: Bool, _ call: Call
  ) -> [String] {
    var arguments = call.arguments
    arguments.program = nil
    arguments.replace(GlobalOptions.accountOption, by: [account.description])
    if case .folder(let folder) = renewed { arguments.add(folder.path, to: Self.folder) }
    if let expiry { arguments.add("\(expiry.rawValue)", to: Self.expiry) }
    if let seen { arguments.add(seen, to: Self.seen) }
    if hasPassphrase { arguments.add("", to: Self.passphrase) }
    return ["gatebook", help.name] + arguments.words(of: help.options + GlobalOptions.all)
  }

  func run(_ call: Call) async throws -> ExitCode {
    // It ends with the program. A service manager sends its signals to both at once, and the
    // program may need its token for a while longer. The second process ignores them from its
    // beginning, because it inherits that.
    for signal in [Signal.interrupt, Signal.terminate, Signal.hangUp] {
      SignalAction.ignore(signal)
    }
    guard call.arguments.has(Self.isDetached) else { return try Self.detach(call) }
    let hasPassphrase = call.arguments.has(Self.passphrase)
    let own = Inherited.allCases.filter { hasPassphrase || $0 != .passphrase }.map(\.rawValue)
    // Another program's pipe would not end as long as this process has it.
    for descriptor in FileDescriptor.inheritable where descriptor > 2 {
      if own.contains(descriptor) {
        FileDescriptor.keepBack(descriptor)
      } else {
        FileDescriptor.close(descriptor)
      }
    }
    let place = OpenFile(taking: Inherited.place.rawValue)
    let renewed =
      call.arguments[Self.folder].map { .folder(TokenFolder(at: $0, lock: place)) }
      ?? RenewedToken.memory(place)
    let call =
      hasPassphrase
      ? call.readingPassphraseOnce("/dev/fd/\(Inherited.passphrase.rawValue)") : call
    let expiry = try call.arguments.integer(Self.expiry, in: 0...(.max))
    try await TokenRenewal(
      renewed, until: ProgramEnd(Inherited.program.rawValue, removing: renewed), call
    ).run(validUntil: expiry.map { Timestamp(rawValue: $0) }, seen: call.arguments[Self.seen])
    return .done
  }

  /// Starts the process again, in a session of its own, and leaves it to the system.
  @MainActor private static func detach(_ call: Call) throws(GatebookError) -> ExitCode {
    var arguments = call.arguments
    arguments.add("", to: isDetached)
    let line = ["gatebook", help.name] + arguments.words(of: help.options + GlobalOptions.all)
    guard ChildProcess("/proc/self/exe", line, isOwnSession: true) != nil else {
      throw failure(.last)
    }
    return .done
  }
}

extension RenewedToken {
  /// Starts the process that renews it: see ``RenewCommand``.
  @MainActor func start(
    of account: AccountID, validUntil expiry: Timestamp?, seen: String?, passphrase: Secret?,
    _ call: Call
  ) throws(GatebookError) {
    try RenewCommand.start(
      self, of: account, validUntil: expiry, seen: seen, passphrase: passphrase, call)
  }
}
