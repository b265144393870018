internal import Gatebook

extension LoginCommand {
  /// Logs in as strongly as a server demanded of a request.
  @MainActor static func stepUp(_ call: Call) async throws -> ExitCode {
    let place = try RedirectPlace(call.arguments[ServerPageArguments.redirect])
    let limit = try ServerPageArguments.limit(call.arguments)
    let context = try await call.withBook { book in
      let account = try await call.account(book).account
      var (method, options) = try await login(for: account, book, place, call)
      options.redirectLimit = limit
      return try await call.logIn(on: place, book, method, options)
    }
    call.output.loggedIn(context)
    return .done
  }

  /// The login that answers the demand, where there is one that can be answered.
  @MainActor private static func login(
    for account: AccountID, _ book: SessionBook, _ place: RedirectPlace, _ call: Call
  ) async throws(GatebookError) -> (method: LoginMethod, options: LoginOptions) {
    do throws(GatebookError) {
      return try await book.stepUpLogin(of: account, redirectURI: GrantRequest.uri(place.uri))
    } catch  where error.code == .configurationInvalid {
      guard let demand = try await book.demandedStepUp(of: account) else { throw nothingDemanded }
      guard demand == StepUp() else { throw error }
      let context = try await book.context(of: account)
      throw nothingSaid(await NextLogin(context, in: book, options: call.givenPlace))
    }
  }

  private static let nothingDemanded = GatebookError(
    .configurationInvalid, "No server demands a stronger login from this account.",
    kept: "The session is kept.",
    remedy: "`--step-up` works after a server has rejected a `gatebook request` for that reason.")

  private static func nothingSaid(_ login: NextLogin) -> GatebookError {
    GatebookError(
      .configurationInvalid,
      "A server demands a stronger login from this account, but did not say which.",
      kept: "The session is kept.",
      remedy: "Ask the server's administrator; then \(login.clause(askingFor: [])).")
  }
}
