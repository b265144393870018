internal import Gatebook

/// Where the answer to a request goes.
@MainActor struct AnswerOutput {
  private nonisolated static let fields = CommandOption.flag(
    "-i", "print the status and the header fields before the body")
  private nonisolated static let file = CommandOption.value(
    "-o", "FILE", "write the body to this file; what is interrupted leaves the file as it was")

  /// All of them, in the order of the help.
  nonisolated static let options = [fields, file]

  private let file: OutputFile?
  private let hasFields: Bool

  /// Begins the file, where one is named.
  ///
  /// - Throws: `configuration.invalid` or `storage.full` where it cannot be written.
  init(_ call: Call) throws {
    hasFields = call.arguments.has(Self.fields)
    file = try OutputFile.path(call.arguments[Self.file]).map { try OutputFile.open($0) }
  }

  /// Writes an answer.
  ///
  /// - Parameters:
  ///   - reply: The answer.
  ///   - request: What it answers.
  ///   - output: Standard output.
  /// - Throws: What writing the file throws.
  func show(_ reply: HTTPReply, of request: HTTPRequest, _ output: Output) throws {
    if hasFields || request.method == "HEAD" {
      output.line("HTTP \(reply.status)")
      for field in reply.fields {
        output.line(Printable.text("\(field.name): \(RequestTrace.shown(field))"))
      }
      output.line("")
    }
    if let file {
      try file.write(reply.body)
      try file.finish()
      return
    }
    guard output.isTerminal else { return output.bytes(reply.body) }
    guard let text = String(validating: reply.body, as: UTF8.self) else {
      return output.message(
        "The body is \(reply.body.count) bytes that are not text. Write it to a file with `-o FILE`."
      )
    }
    output.text(Printable.text(text, keepsLines: true))
    if !text.isEmpty, !text.hasSuffix("\n") { output.text("\n") }
  }
}
