/// What of a book was opened with its key, because no hash of the log covers it.
public struct VerifiedSecrets: Hashable, Sendable {
  /// How many accounts have a key that opens.
  public internal(set) var keys: Int64 = 0
  /// How many secrets in the vault open; a list of what finds an account is none.
  public internal(set) var secrets: Int64 = 0
  /// How many documents open that servers publish.
  public internal(set) var documents: Int64 = 0
  /// How many logins that wait for the person, and places of copies of the book, open.
  public internal(set) var others: Int64 = 0
  /// How many accounts have a list of the hashes that find them, which the book agrees with or not.
  public internal(set) var lists: Int64 = 0
  /// How many of these lists were taken from what an older book held, and not made by logins.
  public internal(set) var takenLists: Int64 = 0
  /// How many accounts have no list yet, or one from before their last login.
  ///
  /// The hashes that find them were not compared; the next login makes the list.
  public internal(set) var unlisted: Int64 = 0
  /// Whether the sessions' secrets were compared with the log, by their generations and for missing ones: not
  /// in a book whose log is damaged, or that was recovered.
  public internal(set) var hasComparedGenerations = false
}
