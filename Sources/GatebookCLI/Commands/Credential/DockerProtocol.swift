internal import Gatebook

/// The protocol of Docker's credential helpers, which podman, skopeo and others speak too: a
/// server's name or a JSON object on standard input.
///
/// Source: docker-credential-helpers, "Development" in its README, and the texts in its package
/// `credentials` that clients compare.
struct DockerProtocol: CredentialProtocol {
  let operation: String

  let program = "docker"
  let mustHearOfNothing = true

  func question(_ input: [UInt8]) throws(CredentialFault) -> CredentialQuestion? {
    switch operation {
    case "get": try question(.get, of: Self.text(input))
    case "erase": try question(.rejected, of: Self.text(input))
    case "store": try stored(input)
    case "list": CredentialQuestion(deed: .list)
    default:
      throw CredentialFault(
        "Docker's protocol has no such operation; it has get, store, erase, list.")
    }
  }

  /// A registry is one server with one set of users: its name stands for all paths.
  private func question(
    _ deed: CredentialQuestion.Deed, of text: String
  ) throws(CredentialFault) -> CredentialQuestion {
    let name = text.trimmed
    guard !name.isEmpty else { throw CredentialFault(Self.noServer) }
    guard let place = ServerPlace(name) else {
      throw CredentialFault("Docker's request names a server that is none.")
    }
    var question = CredentialQuestion(deed: deed, urls: place.origins, user: place.user)
    question.place = name
    return question
  }

  private func stored(_ input: [UInt8]) throws(CredentialFault) -> CredentialQuestion {
    guard let object = JSONDocument.read(input)?.object else {
      throw CredentialFault("Docker's request is not a JSON object.")
    }
    var question = try question(.accepted, of: object["ServerURL"]?.text ?? "")
    guard let user = object["Username"]?.text, !user.isEmpty else {
      throw CredentialFault(Self.noUser)
    }
    question.user = user
    question.secret = object["Secret"]?.text.map { Secret($0) }
    return question
  }

  func answer(
    _ credential: HandedCredential, to question: CredentialQuestion
  ) throws(CredentialFault) -> [UInt8] {
    let answer: JSON = [
      "ServerURL": .text(question.place), "Username": .text(credential.user),
      "Secret": .text(try credential.text()),
    ]
    return answer.encoded + [UInt8(ascii: "\n")]
  }

  /// Clients compare the names with those of registries, which have no scheme.
  func list(_ credentials: [HandedCredential]) -> [UInt8] {
    let members = credentials.map { credential in
      let origin = credential.url.origin
      let name = String(origin.description.dropFirst(origin.scheme.count + 3))
      return JSON.Member(name: name, value: .text(credential.user))
    }
    return JSON.object(members).encoded + [UInt8(ascii: "\n")]
  }

  func refusal(_ reason: String?, _ exit: ExitCode) -> (output: [UInt8], exit: ExitCode) {
    let text =
      switch operation {
      // A client takes this text for "no credential", and asks without one.
      case "get" where reason != Self.noServer: "credentials not found in native keychain"
      default: reason ?? ""
      }
    return (Array((text + "\n").utf8), .failed)
  }

  // Clients compare these texts too.
  private static let noServer = "no credentials server URL"
  private static let noUser = "no credentials username"

  private static func text(_ input: [UInt8]) throws(CredentialFault) -> String {
    guard let text = String(validating: input, as: UTF8.self), !text.contains("\0") else {
      throw CredentialFault("Docker's request is not text.")
    }
    return text
  }
}

extension String {
  /// Without blanks and line ends around it.
  fileprivate var trimmed: String {
    let isBlank = { (scalar: Unicode.Scalar) in " \t\r\n".unicodeScalars.contains(scalar) }
    var scalars = Substring(self).unicodeScalars.drop(while: isBlank)
    while let last = scalars.last, isBlank(last) { scalars.removeLast() }
    return String(Substring(scalars))
  }
}
