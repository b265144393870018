/// One resource of a fake MobileFirst server's adapters.
public struct FakeAdapterResource: Hashable, Sendable {
  /// The path below `adapters/`.
  public var path: String
  /// The scope that a token must cover; empty for any token, `nil` for no token at all.
  public var scope: String?
  /// The text that is answered.
  public var text: String

  /// Makes a resource, which answers GET and POST alike.
  public init(_ path: String, scope: String?, text: String) {
    self.path = path
    self.scope = scope
    self.text = text
  }

  /// `ResourceAdapter/balance`, `19938.80` for `accessRestricted`.
  public static let balance = FakeAdapterResource(
    "ResourceAdapter/balance", scope: "accessRestricted", text: "19938.80")
  /// `ResourceAdapter/publicData`, for everybody.
  public static let publicData = FakeAdapterResource(
    "ResourceAdapter/publicData", scope: nil, text: "This is public data.")
  /// `ResourceAdapter/transfer`, for the step-up scope `transferPrivilege`.
  public static let transfer = FakeAdapterResource(
    "ResourceAdapter/transfer", scope: "transferPrivilege", text: "Transferred.")

  /// The resources of a configuration that names no others.
  public static let samples = [balance, publicData, transfer]
}
