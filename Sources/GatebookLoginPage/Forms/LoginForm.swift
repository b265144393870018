public import Gatebook

/// A form of the login page: what it asks, and the login that it makes of the answers.
public struct LoginForm: Sendable {
  /// Makes a login of the answers.
  ///
  /// It gets the answers, the book, and the options with the person's choice of
  /// `LoginOptions.saveCredentials`.
  public typealias LogIn =
    @Sendable (LoginAnswers, SessionBook, LoginOptions) async throws(GatebookError) ->
    SessionContext

  /// What a server said of a refused answer.
  struct Refusal: Sendable {
    /// Its own words; empty for none.
    var words = ""
    /// How many more answers it takes; `nil` where it does not say.
    var attemptsLeft: Int64?
  }

  /// The server, as the page names it.
  public let server: String
  /// The fields in their order.
  public var fields: [LoginField]
  /// Whether the page offers to save the credentials ("stay signed in").
  public var offersSaving: Bool
  let logIn: LogIn
  /// What the server said of the last answer.
  var refusal: @Sendable () async -> Refusal = { Refusal() }
  /// Ends what a refused answer has left open, once no other answer comes.
  var giveUp: @Sendable (GatebookError) async -> Void = { _ in }
  /// Whether the page asks about a certificate that cannot be verified; otherwise it is refused.
  var asksAboutCertificates: @Sendable (LoginAnswers) -> Bool = { _ in true }
  /// Whether other questions for a name and a password, such as those of a server in front, go to
  /// the page: not where the method answers them itself.
  package var asksForOtherPasswords = false

  /// Makes a form.
  ///
  /// - Parameters:
  ///   - server: The server, as the page names it.
  ///   - fields: The fields in their order.
  ///   - offersSaving: Whether the page offers to save the credentials.
  ///   - logIn: Makes the login.
  public init(
    server: String, fields: [LoginField], offersSaving: Bool = true, logIn: @escaping LogIn
  ) {
    self.server = server
    self.fields = fields
    self.offersSaving = offersSaving
    self.logIn = logIn
  }

  /// Makes the form of a method.
  ///
  /// - Parameters:
  ///   - server: The server.
  ///   - fields: The fields in their order.
  ///   - method: Makes the method of the answers; the switch says whether to save credentials.
  public init(
    server: Origin, fields: [LoginField],
    method:
      @escaping @Sendable (LoginAnswers, _ savesCredentials: Bool) throws(GatebookError) ->
      LoginMethod
  ) {
    self.init(server: "\(server)", fields: fields) {
      answers, book, options throws(GatebookError) in
      try await book.logIn(try method(answers, options.saveCredentials), options: options)
    }
  }

  /// Whether a server that wants the client's secret gets a field for it, under
  /// ``clientSecretName``: most servers take a client without one, and do not say so before.
  package var takesClientSecret = false
  /// The name of that field.
  package static let clientSecretName = "clientSecret"

  /// Whether a method leaves questions for a name and a password to others: its own login goes by
  /// a form or by JSON, so HTTP authentication is that of a server in front.
  package static func leavesOtherPasswords(_ method: LoginMethod) -> Bool {
    ["fcsdk", "form", "liferay-cookie"].contains(method.name)
  }

  /// Whether a method's server may want the client's secret.
  package static func takesClientSecret(_ method: LoginMethod) -> Bool {
    ["oauth2", "oidc"].contains(method.name)
  }

  /// The name of the switch that saves credentials.
  static let savingName = "saveCredentials"

  /// The fields with the switch that saves credentials, where the form has one.
  func allFields(saving isOn: Bool) -> [LoginField] {
    guard offersSaving else { return fields }
    return fields + [
      .toggle(Self.savingName, .staySignedIn, isOn: isOn, hint: .staySignedInHint)
    ]
  }
}
