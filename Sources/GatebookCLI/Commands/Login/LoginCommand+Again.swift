internal import Gatebook

extension LoginCommand {
  /// Logs an account in again with the settings of its last login; options that are given now
  /// replace them.
  @MainActor static func again(_ call: Call) async throws -> ExitCode {
    let (reader, context) = try found(call)
    guard context.state != .ended(.erased) else { throw erased }
    let settings = try reader.savedSettings(of: context.account)
    guard let line = settings.flatMap({ LoginLine($0) }) else {
      throw unknown(NextLogin(context, settings, options: call.givenPlace))
    }
    return try await run(line.words, call)
  }

  /// Runs another login command with the options that were given now; they replace those of its
  /// line.
  @MainActor static func run(_ words: [String], _ call: Call) async throws -> ExitCode {
    let order = try ArgumentReader.read(words, CommandTable.commands)
    guard case .run(let command, let saved) = order else { throw incomplete }
    let known = GlobalOptions.all + command.help.options
    var arguments = saved
    for given in call.arguments.options {
      // Methods describe an option of one name in their own words.
      guard let own = known.first(where: { $0.name == given.name }) else {
        // On the open page an account was chosen whose method has a page of its server.
        if call.loginPage != nil, LoginPageArguments.all.contains(given) { continue }
        throw UnknownOption.error(
          given.name, command: command.help, table: CommandTable.commands.map { $0.help })
      }
      arguments.replace(own, by: call.arguments.all(given))
    }
    return try await command.init().run(try call.with(arguments))
  }

  /// The account that is named, and its book; where there is none, what else was probably meant.
  @MainActor private static func found(
    _ call: Call
  ) throws -> (reader: BookReader, context: SessionContext) {
    let name = call.globals.account ?? ""
    let method = NearMiss.nearest(to: name, among: methods)
    do {
      let reader = try BookReader.open(
        at: call.globals.book, key: try call.keySource(mayAsk: true))
      guard let context = try call.namedAccount(reader) else { throw incomplete }
      return (reader, context)
    } catch let error as UsageError {
      guard let meant = meant(name, method) else { throw error }
      throw UsageError(error.message, remedy: "\(meant) \(error.remedy)")
    } catch let error as GatebookError where error.code == .storageNone {
      guard let meant = meant(name, method) else { throw error }
      throw UsageError("There is no book yet, and so no account.", remedy: meant)
    }
  }

  /// What a word that names no account could mean.
  private static func meant(_ name: String, _ method: String?) -> String? {
    if let method { return "Did you mean `gatebook login \(method)`?" }
    // Accounts are named by `user@host` too.
    let isHost = !name.contains("@") && name.contains(".") && HTTPURL("https://\(name)") != nil
    return isHost
      ? "For a server, give its address: `gatebook login \(ShellText.word("https://\(name)"))`."
      : nil
  }

  private static let erased = GatebookError.accountErased(
    remedy: "Log in with a method to add an account: see `gatebook help login`.")

  private static func unknown(_ login: NextLogin) -> GatebookError {
    GatebookError(
      .configurationInvalid, "The book does not hold the settings of the account's last login.",
      kept: "The account is kept.", remedy: login.sentence(.logInAgain))
  }
}
