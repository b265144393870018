/// What was decrypted with the book's key as a check, because no hash of the log covers it.
public struct VerifiedSecrets: Hashable, Sendable {
  /// How many keys of accounts could be decrypted.
  public internal(set) var keys: Int64 = 0
  /// How many secrets in the vault could be decrypted, without the lists of lookups.
  public internal(set) var secrets: Int64 = 0
  /// How many copies of servers' documents could be decrypted.
  public internal(set) var documents: Int64 = 0
  /// How many waiting logins and paths of copies of the book could be decrypted.
  public internal(set) var others: Int64 = 0
  /// How many accounts have a list of their lookups, whether the book agrees with it or not.
  public internal(set) var lists: Int64 = 0
  /// How many of these lists came from an older version of the book and not from logins.
  public internal(set) var takenLists: Int64 = 0
  /// How many accounts have no list yet, or one from before their last login.
  ///
  /// Their lookups were not compared; the next login makes the list.
  public internal(set) var unlisted: Int64 = 0
  /// Whether the sessions' secrets were compared with the log, by their generations and for missing
  /// ones: not in a book whose log is damaged, or that was recovered.
  public internal(set) var hasComparedGenerations = false
}
