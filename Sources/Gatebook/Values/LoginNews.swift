/// What a login delegate hears.
enum LoginNews: Sendable {
  case response(SessionContext)
  case saved(SessionContext)
  case failed(GatebookError)
  case loaded(SessionContext)
}
