internal import GatebookEvents

/// One way to authenticate that a server offers with a 401 (RFC 9110 section 11.3).
package struct AuthenticationChallenge: Hashable, Sendable {
  /// One parameter of a challenge.
  package struct Parameter: Hashable, Sendable {
    /// The name in lower case.
    package var name: String
    /// The value, without the quotes and backslashes of the header.
    package var value: String

    /// Makes a parameter; the name is already in lower case.
    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The scheme in lower case, such as `basic`.
  package var scheme: String
  /// What follows the scheme when that is no list of parameters; base64 text with `Negotiate`.
  package var token68: String?
  /// The parameters in their order; each name occurs once.
  package var parameters: [Parameter]

  /// Makes a challenge; names are already in lower case.
  package init(_ scheme: String, token68: String? = nil, parameters: [Parameter] = []) {
    self.scheme = scheme
    self.token68 = token68
    self.parameters = parameters
  }

  /// The value of a parameter by its name in lower case.
  package subscript(name: String) -> String? {
    parameters.first { $0.name == name }?.value
  }

  /// The part of the server that the credentials are for (RFC 9110 section 11.5).
  package var realm: String? { self["realm"] }

  /// The scheme for the clear facts of an event: `other` for what does not look like a code, as a
  /// server chooses it.
  package var plainScheme: String { GatebookError.isErrorCode(scheme) ? scheme : "other" }
}

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
