public import GatebookEvents

/// What a book records about its master key, in the clear: the kind of source and what finds the
/// key there.
///
/// Never the key.
public struct KeyDescription: Hashable, Sendable {
  /// The kind of source: `file`, `passphrase`.
  public let source: String
  /// What finds the key again, such as a path or a salt.
  public let parameters: Facts

  /// Makes a description.
  public init(source: String, parameters: Facts) {
    self.source = source
    self.parameters = parameters
  }
}
