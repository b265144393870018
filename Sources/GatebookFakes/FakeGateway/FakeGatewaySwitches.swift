/// How a fake gateway behaves.
public struct FakeGatewaySwitches: Hashable, Sendable {
  /// The body of a 401 (inferred: no documentation says which).
  public enum RefusalBody: Hashable, Sendable, CaseIterable {
    /// A page, as a servlet container has it.
    case html
    /// A JSON object.
    case json
    /// Nothing.
    case empty
  }

  /// What becomes of a login.
  public enum Login: Hashable, Sendable {
    /// The user table decides.
    case regular
    /// This status with a page, whatever the password; nothing is begun.
    case status(Int)
    /// A right password begins a session and gets 200, but is not told the session's id.
    case withoutSessionID
    /// A right password gets 200 with a page in place of JSON; nothing is begun.
    case page
  }

  /// What becomes of a logout.
  public enum Logout: Hashable, Sendable {
    /// 200, or 404 for an unknown id (inferred).
    case regular
    /// This status: one from 200 to 299 ends the session, any other leaves it as it is.
    case status(Int)
  }

  /// What becomes of a web socket.
  public enum WebSocket: Hashable, Sendable {
    /// 101, then the connection is held.
    case accepts
    /// The connection is closed without an answer.
    case drops
    /// This status with a page.
    case refuses(Int)
  }

  /// What becomes of a login.
  public var login = Login.regular
  /// What becomes of a logout.
  public var logout = Logout.regular
  /// What becomes of a web socket.
  public var webSocket = WebSocket.accepts
  /// The body of a 401.
  public var refusalBody = RefusalBody.html
  /// Whether the answer to a login has an `id`.
  public var tellsID = true
  /// Whether a login sets a cookie (inferred).
  public var setsCookie = true
  /// Whether a logout gets 401 without the cookie that the session's own login set.
  public var demandsCookie = false
  /// Whether a login ends older sessions of its user; servers differ.
  public var endsOlderSessions = false

  /// Makes switches as most deployments have them.
  public init() {}
}
