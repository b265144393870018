internal import Gatebook

/// `gatebook status`, and `gatebook` alone.
struct StatusCommand: Command {
  static let help = Help(
    "status", "Show the current account, what needs attention, and what to do next.", in: .accounts,
    details: ["`gatebook` without a command does the same."],
    examples: ["gatebook status", "gatebook"],
    isAudit: true)

  func run(_ call: Call) async throws -> ExitCode {
    let reader: BookReader
    do {
      reader = try call.reader()
    } catch let error as GatebookError
      where error.code == .storageNone && call.globals.book == call.surroundings.defaultBook
    {
      show([], current: nil, attention: [], call)
      return .done
    }
    let accounts = try reader.accounts(at: call.now)
    let current =
      call.globals.account == nil && !accounts.contains(where: \.isCurrent)
        && call.globals.currentAccount == nil ? nil : try call.choose(among: accounts)
    show(accounts, current: current, attention: attention(accounts, reader, call), call)
    return .done
  }

  /// One thing that needs somebody, and the command that deals with it.
  private struct Matter {
    let text: String
    let command: String
  }

  @MainActor private func attention(
    _ accounts: [SessionContext], _ reader: BookReader, _ call: Call
  ) -> [Matter] {
    accounts.compactMap { context in
      let name = AccountRendering.name(context)
      let option = "\(AccountRendering.option(context))\(call.givenPlace)"
      switch context.state {
      case .needsLogin, .challenged:
        // Who cannot repeat the last login finds out how by `why`.
        let login = call.login(of: context, in: reader)?.command()
        return Matter(
          text: "\(name): \(context.stateText)", command: login ?? "gatebook why \(option)")
      case .uncertain:
        return Matter(
          text: "\(name): \(context.stateText)", command: "gatebook refresh \(option)")
      case .active, .offline:
        guard let renewal = AccountRendering(context).renewal(call.output.times) else { return nil }
        return Matter(
          text: "\(name): its renewal \(renewal)", command: "gatebook why \(option)")
      case .ended: return nil
      }
    }
  }

  @MainActor private func show(
    _ accounts: [SessionContext], current: SessionContext?, attention: [Matter], _ call: Call
  ) {
    let output = call.output
    guard !output.isJSON else {
      output.json(
        .present([
          "current": current.map { AccountRendering($0).json(isFull: false) },
          "accounts": .integer(Int64(accounts.count)),
          "attention": .list(
            attention.map { ["text": .text($0.text), "command": .text($0.command)] }),
        ]))
      return
    }
    if let current {
      output.line(AccountRendering(current).sentence(output))
    } else {
      output.line(accounts.isEmpty ? "No account yet." : "No current account.")
    }
    let others = accounts.count { $0.account != current?.account && $0.state.reason == nil }
    if others > 0 { output.line(others == 1 ? "1 other session." : "\(others) other sessions.") }
    if !attention.isEmpty {
      output.line("")
      output.line("Needs attention:")
      for matter in attention {
        output.line("  \(Printable.text(matter.text))")
        output.line("    \(matter.command)")
      }
    }
    output.line("")
    output.line("Next:")
    output.lines(HelpText(columns: output.columns).rows(Self.next(accounts, current, call)))
  }

  /// What one would do next: five commands at most.
  @MainActor private static func next(
    _ accounts: [SessionContext], _ current: SessionContext?, _ call: Call
  ) -> [(name: String, note: String)] {
    let log = (name: "gatebook help", note: "all commands")
    let place = call.givenPlace
    // Without an option these mean the current account.
    let given = call.globals.account == nil ? place : call.givenAccount
    guard !accounts.isEmpty else {
      return [
        ("gatebook login URL\(place)", "log in at a server's address"),
        ("gatebook demo", "see how it works, without a server"), log,
      ]
    }
    let use: [(name: String, note: String)] =
      current?.state.isUsable == true
      ? [
        ("gatebook request URL\(given)", "send a request as this account"),
        ("gatebook whoami\(given)", "show the account and its attributes"),
      ]
      : [
        current.map { ("gatebook login \(AccountRendering.option($0))\(place)", "log in again") }
          ?? ("gatebook login URL\(place)", "log in at a server's address")
      ]
    let other: [(name: String, note: String)] =
      accounts.count > 1
      ? [("gatebook switch A\(place)", "make another account the current one")]
      : [("gatebook login URL\(place)", "log in to another account")]
    return Array(
      (use + [("gatebook why\(given)", "explain the state of the account")] + other + [log]).prefix(
        5))
  }
}
