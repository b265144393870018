internal import Gatebook

/// A mistake in one field, found before anything is sent.
enum FieldMistake: Equatable, Sendable {
  /// A text of the page.
  case known(PageText)
  /// A server's text, and how many attempts it still takes.
  case refused(PageText, server: String, attemptsLeft: Int64?)
}

extension LoginField {
  /// The longest answer in bytes, as on a terminal.
  private static let longest = 8 << 10

  /// What is wrong with an answer; `nil` for nothing.
  func mistake(in answers: LoginAnswers) -> FieldMistake? {
    guard kind != .toggle else { return nil }
    let (count, hasControls) = size(of: answers)
    if count == 0 { return isRequired ? .known(.missing) : nil }
    if count > Self.longest { return .known(.tooLong) }
    if hasControls { return .known(.notText) }
    switch kind {
    case .number: return Int64(answers[name]).map { $0 > 0 } == true ? nil : .known(.notANumber)
    case .port:
      return Int(answers[name]).map { (1...65_535).contains($0) } == true ? nil : .known(.notAPort)
    case .host: return Self.isHost(answers[name]) ? nil : .known(.notAServer)
    case .text, .email, .password, .toggle: return nil
    }
  }

  private func size(of answers: LoginAnswers) -> (count: Int, hasControls: Bool) {
    guard kind == .password else {
      let text = answers[name]
      return (text.utf8.count, text.utf8.contains { $0 < 0x20 || $0 == 0x7F })
    }
    return answers.secret(name).withBytes { ($0.count, $0.contains(0)) }
  }

  private static func isHost(_ text: String) -> Bool {
    let isAddress = text.utf8.contains(UInt8(ascii: ":")) && !text.hasPrefix("[")
    let isPlain =
      !text.utf8.contains { "/?#@\\ ".utf8.contains($0) }
      && text.hasPrefix("[") == text.hasSuffix("]")
    let host = isAddress ? "[\(text)]" : text
    return isPlain && HTTPURL("https://\(host)").map { $0.origin.port == 443 } == true
  }
}
