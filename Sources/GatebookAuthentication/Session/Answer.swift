/// What a machine was told, classified once: the alphabet of the generic state machines.
enum Answer {
  /// Nothing came: the login begins, or goes on after a wait.
  case begun
  /// An answer came.
  case reply(StatusClass, HTTPReply)
  /// The person's visit to the server's page ended.
  case redirected(FormFields)
  /// No answer came.
  case missing(TransportFailure)

  /// Classifies an input.
  init(_ input: Input) {
    self =
      switch input.happening {
      case .start, .proceed: .begun
      case .reply(let reply): .reply(StatusClass(reply.status), reply)
      case .failure(let failure): .missing(failure)
      case .redirect(let fields): .redirected(fields)
      }
  }
}
