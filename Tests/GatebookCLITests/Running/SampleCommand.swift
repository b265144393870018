internal import Gatebook

@testable internal import GatebookCLI

/// A command with every kind of argument, which prints what it was given.
struct SampleCommand: Command {
  static let mode = CommandOption.choice("--mode", ["basic", "cookie"], "which way")
  static let label = CommandOption.value("--label", "NAME", "what to call it")
  static let limit = CommandOption.value("--limit", "N", "how many")
  static let field = CommandOption.values("-H", "FIELD", "a header field")
  static let method = CommandOption.value("-X", "M", "the method")
  static let fail = CommandOption.flag("--fail", "end with 1 for 400 and more")
  static let url = Positional("URL", "where to")
  static let more = Positional("MORE", "anything", isOptional: true)

  static var help: Help {
    Help(
      "sample one", "Print what was given.", in: .use, details: ["It only prints."],
      positionals: [url, more], options: [mode, label, limit, field, method, fail],
      examples: ["gatebook sample one https://example.com/"])
  }

  func run(_ call: Call) async throws -> ExitCode {
    let arguments = call.arguments
    call.output.json(
      .present([
        "url": .text(try arguments.required(Self.url)), "more": arguments[Self.more].map(JSON.text),
        "mode": arguments[Self.mode].map(JSON.text), "label": arguments[Self.label].map(JSON.text),
        "limit": try arguments.integer(Self.limit, in: 1...100).map(JSON.integer),
        "method": arguments[Self.method].map(JSON.text),
        "fields": .list(arguments.all(Self.field).map(JSON.text)),
        "fail": .bool(arguments.has(Self.fail)), "wait": .integer(call.globals.wait.seconds),
        "book": .text(call.globals.book),
      ]))
    return .done
  }
}

/// A second command of the same group, and one that fails on request.
struct FailingCommand: Command {
  static var help: Help {
    Help(
      "sample two", "Fail.", in: .use, examples: ["gatebook sample two"],
      isAudit: true)
  }

  func run(_ call: Call) async throws -> ExitCode {
    call.output.line("before")
    throw GatebookError(
      .networkUnreachable, "The server could not be reached.", kept: "The session stays.",
      remedy: "Try again.", cause: "connection refused")
  }
}

extension Duration {
  var seconds: Int64 { components.seconds }
}
