internal import Gatebook
internal import GatebookSystem

/// What a login method asks a person, each with the server that gets the answer.
///
/// A method is made three times: as a draft before the book is opened, once more with the user, and
/// with the secrets. What can be refused without a secret is refused before one is asked for.
struct LoginQuestions: Sendable {
  private let answers: Answers
  /// Where the server's page sends the person back to; empty for a login without one.
  let redirect: String
  private var asksUser = true
  private var asksSecrets = true
  /// The user, once asked for.
  private let user = Locked<String?>(nil)
  /// Whether the method has asked for anything, a draft included.
  private let asked = Locked(false)

  /// Asks for everything.
  init(_ answers: Answers, redirect: String = "") {
    self.answers = answers
    self.redirect = redirect
  }

  /// Whether the method has a question; known once its draft is made.
  var hasQuestions: Bool { asked.withLock { $0 } }

  /// Asks for nothing.
  var draft: LoginQuestions {
    var draft = withoutSecrets
    draft.asksUser = false
    return draft
  }

  /// Asks for the user alone.
  var withoutSecrets: LoginQuestions {
    var questions = self
    questions.asksSecrets = false
    return questions
  }

  /// The user at a server; asked for once.
  private func user(at server: Origin) throws(GatebookError) -> String {
    asked.withLock { $0 = true }
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

  /// Who logs in at a server, asked for where no user was given, and the password.
  func person(
    _ user: String?, at server: Origin
  ) throws(GatebookError) -> (user: String, password: Secret) {
    let user = if let user { user } else { try self.user(at: server) }
    return (user, try password(of: user, at: server))
  }

  /// A client's secret at a server, asked for where none was given.
  func clientSecret(
    _ given: Secret? = nil, of client: String, at server: Origin
  ) throws(GatebookError) -> Secret {
    if let given { return given }
    return try secret("Client secret for \(client) at \(server)")
  }

  private func secret(_ question: String) throws(GatebookError) -> Secret {
    asked.withLock { $0 = true }
    return asksSecrets ? try answers.secret(question) : Secret(Self.standIn)
  }

  /// In the place of an answer; also an id of a user where ids are numbers.
  private static let standIn = "1"
}
