internal import Gatebook
internal import GatebookSystem

/// What a login method asks a person, each with the server that gets the answer.
///
/// A method is made three times: as a draft before the book is opened, once more with the user, and
/// with the secrets. What can be refused without a secret is refused before one is asked for.
struct LoginQuestions: Sendable {
  private let answers: Answers
  private let asksUser: Bool
  private let asksSecrets: Bool
  /// The user, once asked for.
  private let user: Locked<String?>

  /// Asks for everything.
  init(_ answers: Answers) {
    self.init(answers, asksUser: true, asksSecrets: true, user: Locked(nil))
  }

  private init(_ answers: Answers, asksUser: Bool, asksSecrets: Bool, user: Locked<String?>) {
    self.answers = answers
    self.asksUser = asksUser
    self.asksSecrets = asksSecrets
    self.user = user
  }

  /// Asks for nothing.
  var draft: LoginQuestions {
    LoginQuestions(answers, asksUser: false, asksSecrets: false, user: user)
  }

  /// Asks for the user alone.
  var withoutSecrets: LoginQuestions {
    LoginQuestions(answers, asksUser: true, asksSecrets: false, user: user)
  }

  /// The user at a server; asked for once.
  func user(at server: Origin) throws(GatebookError) -> String {
    guard asksUser else { return Self.standIn }
    return try user.withLock { (known) throws(GatebookError) in
      if let known { return known }
      let typed = try answers.text("User at \(server)")
      known = typed
      return typed
    }
  }

  /// A user's password at a server.
  func password(of user: String, at server: Origin) throws(GatebookError) -> Secret {
    try secret("Password for \(user) at \(server)")
  }

  /// A client's secret at a server.
  func clientSecret(of client: String, at server: Origin) throws(GatebookError) -> Secret {
    try secret("Client secret for \(client) at \(server)")
  }

  private func secret(_ question: String) throws(GatebookError) -> Secret {
    asksSecrets ? try answers.secret(question) : Secret(Self.standIn)
  }

  /// In the place of an answer; also an id of a user where ids are numbers.
  private static let standIn = "1"
}
