internal import Gatebook
internal import Testing

@testable internal import GatebookCLI

extension Scene {
  /// The command that `why` prints at its end: what a person would paste.
  func printedLogin(_ account: String...) throws -> String {
    let why = try start(["why"] + account).end().output
    let last = try #require(why.split(separator: "\n").last { $0.hasPrefix("Next: ") })
    let command = try #require(
      last.firstMatch(of: /`(gatebook login [^`]*)`/)?.output.1, "no command: \(last)")
    return String(command)
  }

  /// What the only account's last login was asked with: what `login --account` asks again.
  func askedLogin() throws -> [String] {
    let reader = try BookReader.open(at: book, key: KeyFile(path: try keyFile()))
    let accounts = try reader.accounts()
    let account = try #require(accounts.count == 1 ? accounts.first : nil)
    let settings = try #require(try reader.savedSettings(of: account.account))
    return try #require(LoginLine(settings)).words
  }

  /// Runs a command in a shell on a terminal, as a person who pastes it.
  ///
  /// - Parameters:
  ///   - command: The command, as it was printed.
  ///   - secrets: What is typed, in the order of the questions.
  ///   - visit: What the person does on the page that the command says to open; `nil` where there
  ///     is none.
  /// - Returns: How it ended, and all that the terminal has shown.
  /// - Throws: There was no page to visit, or what visiting it throws.
  func paste(
    _ command: String, typing secrets: [String] = [], visit: ((String) async throws -> Void)? = nil
  ) async throws -> (exit: Int32, shown: String) {
    let program = try ChildProcess.program()
    let folder = program[..<(program.lastIndex(of: "/") ?? program.startIndex)]
    let terminal = try PseudoTerminal()
    let child = try ChildProcess(
      ["-c", command], in: self,
      environment: environment.merging(["PATH": "\(folder):/usr/bin:/bin"]) { $1 },
      streams: ChildProcess.Streams(terminal: terminal.path), program: "/bin/sh")
    var shown = ""
    for secret in secrets {
      shown += terminal.read(until: ": ")
      terminal.write(secret + "\n")
    }
    if let visit {
      let line = /open (http\S+)\s/
      if !shown.contains(line) { shown += terminal.read(until: "open http") }
      if !shown.contains(line) { shown += terminal.read(until: "\r\n") }
      try await visit(String(try #require(shown.firstMatch(of: line), "\(shown)").output.1))
    }
    shown += terminal.readAll(of: child)
    return (child.end().exit, shown)
  }

  /// What identifies an account, and how it is.
  struct OnlyAccount: Equatable {
    let id: String
    let state: String
  }

  /// The only account, as `accounts` prints it for programs.
  func onlyAccount() throws -> OnlyAccount {
    let lines = try run("accounts", "--json").output.split(separator: "\n")
    let line = try #require(lines.count == 1 ? lines.first : nil, "\(lines)")
    return OnlyAccount(
      id: String(try #require(line.firstMatch(of: /"id":"([^"]*)"/)).output.1),
      state: String(try #require(line.firstMatch(of: /"state":"([^"]*)"/)).output.1))
  }
}
