internal import Gatebook

/// How a login ended without a session.
enum ScreenEnd: Sendable {
  /// The person, or the app, cancelled it.
  case cancelled
  /// Nobody answered in time.
  case expired
  /// It continues on a page of its server, in another window.
  case elsewhere(String)
  /// It failed for good.
  case failed(GatebookError)
}
