internal import Gatebook
internal import GatebookLoginPage
internal import GatebookSystem

/// What a login method asks a person, each with the server that gets the answer.
///
/// A method is made three times: as a draft before the book is opened, once more with the user, and
/// with the secrets. What can be refused without a secret is refused before one is asked for.
struct LoginQuestions: Sendable {
  private let answers: Answers
  /// The fields that ask it on a page, in their order, each once.
  private let form = Locked<[LoginField]>([])
  /// What was answered on a page; `nil` where nobody has been asked there.
  private var filled: (answers: LoginAnswers, saves: Bool)?
  /// Where the server's page sends the person back to; empty for a login without one.
  let redirect: String
  private var asksUser = true
  private var asksSecrets = true
  /// The user, once asked for.
  private let user = Locked<String?>(nil)

  /// Asks for everything.
  init(_ answers: Answers, redirect: String = "") {
    self.answers = answers
    self.redirect = redirect
  }

  /// Whether the method has a question; known once its draft is made.
  var hasQuestions: Bool { !fields.isEmpty }

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

  /// The fields of a page that ask it; known once the draft is made.
  var fields: [LoginField] { form.withLock { $0 } }

  /// The same questions, answered on a page.
  ///
  /// - Parameters:
  ///   - answers: The answers.
  ///   - saves: Whether credentials are to be saved, as the person chose.
  /// - Returns: The questions.
  func answered(by answers: LoginAnswers, saves: Bool) -> LoginQuestions {
    var questions = self
    questions.filled = (answers, saves)
    return questions
  }

  /// Whether credentials are to be saved: what was chosen on the page, else what the option says.
  func savesCredentials(_ arguments: Arguments) -> Bool {
    filled?.saves ?? arguments.has(LoginArguments.saveOption)
  }

  /// The client's secret that a page has asked for because the server wanted it; `nil` for none.
  var addedClientSecret: Secret? {
    let secret = filled?.answers.secret(LoginForm.clientSecretName)
    return secret.flatMap { $0.withBytes(\.isEmpty) ? nil : $0 }
  }

  private func ask(_ field: LoginField) {
    form.withLock { fields in
      if !fields.contains(where: { $0.name == field.name }) { fields.append(field) }
    }
  }

  /// The user at a server; asked for once.
  private func user(at server: Origin) throws(GatebookError) -> String {
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
    try secret("Password for \(user) at \(server)", .password)
  }

  /// Who logs in at a server, asked for where no user was given, and the password.
  ///
  /// - Parameters:
  ///   - user: Who was given; a page asks for it in any case, and fills it in.
  ///   - server: The server.
  ///   - field: The field of a page for the user.
  /// - Returns: Both.
  /// - Throws: What asking throws.
  func person(
    _ user: String?, at server: Origin, as field: (String) -> LoginField = { .user($0) }
  ) throws(GatebookError) -> (user: String, password: Secret) {
    ask(field(user ?? ""))
    let user =
      if let filled { filled.answers.user } else if let user { user } else {
        try self.user(at: server)
      }
    return (user, try password(of: user, at: server))
  }

  /// A client's secret at a server, asked for where none was given.
  func clientSecret(
    _ given: Secret? = nil, of client: String, at server: Origin
  ) throws(GatebookError) -> Secret {
    if let given { return given }
    return try secret("Client secret for \(client) at \(server)", .clientSecret)
  }

  private func secret(
    _ question: String, _ field: LoginField
  ) throws(GatebookError) -> Secret {
    ask(field)
    if let filled { return filled.answers.secret(field.name) }
    return asksSecrets ? try answers.secret(question) : Secret(Self.standIn)
  }

  /// In the place of an answer; also an id of a user where ids are numbers.
  private static let standIn = "1"
}
