/// How a fake gateway behaves.
///
/// What happens to single requests is a ``LoopbackFault`` instead.
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

  /// The body of a 401.
  public var refusalBody = RefusalBody.html
  /// Whether the answer to a login has an `id`.
  public var tellsID = true
  /// Whether the answer to a login has the session's id: `sessionid`.
  public var tellsSessionID = true
  /// Whether a logout gets 401 without the cookie that the session's own login set.
  public var demandsCookie = false

  /// Makes switches as most deployments have them.
  public init() {}
}
