extension AuthenticationChallenge.Parameter {
  /// Reads the grammar's `token BWS "=" BWS ( token / quoted-string )` (RFC 9110 section 11.2);
  /// `nil` for anything else.
  init?(_ text: ArraySlice<UInt8>) {
    let name = text.prefix(while: \.isTokenCharacter)
    let rest = text[name.endIndex...].drop(while: \.isBlank)
    guard !name.isEmpty, rest.first == .equals,
      let value = Self.value(rest.dropFirst().trimmed)
    else { return nil }
    self.init(name.lowercaseText, value)
  }

  private static func value(_ text: ArraySlice<UInt8>) -> String? {
    guard text.first == .quote else {
      return !text.isEmpty && text.allSatisfy(\.isTokenCharacter) ? text.text : nil
    }
    var content: [UInt8] = []
    var isEscaped = false
    for (index, byte) in zip(text.indices, text).dropFirst() {
      guard byte == .tab || !byte.isControl else { return nil }
      if !isEscaped, byte == .quote {
        return index == text.endIndex - 1 ? content.text : nil
      }
      isEscaped = !isEscaped && byte == .backslash
      if !isEscaped { content.append(byte) }
    }
    return nil
  }
}
