public import GatebookEvents

/// The result of moving a book's master key.
public struct KeyMove: Sendable {
  /// Where the key was: `file`, `passphrase`, `secret-service`.
  public let from: String
  /// Where the key is now.
  public let to: String
  /// Whether the key was elsewhere before; otherwise nothing was recorded.
  public let isMoved: Bool
  /// What the user has to remove, such as the paths of key files that the user named and that other
  /// books may use.
  public let leftovers: [String]
  /// Why the old source still has the key; moving the key to the same place again tries to remove
  /// it once more.
  public let unremoved: GatebookError?

  init(
    from: String, to: String, isMoved: Bool, leftovers: [String] = [],
    unremoved: GatebookError? = nil
  ) {
    self.from = from
    self.to = to
    self.isMoved = isMoved
    self.leftovers = leftovers
    self.unremoved = unremoved
  }
}
