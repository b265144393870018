internal import Gatebook

/// Why pseudonyms are not taken, or find nobody.
enum PseudonymRefusal {
  /// The fleet has none at all.
  static func none(_ address: FleetAddress) -> GatebookError {
    GatebookError(
      .fleetPseudonyms,
      "The fleet at \(address) has no pseudonyms, so it finds nobody by a name.",
      kept: "Nothing was changed.",
      remedy:
        "Ship the books with `gatebook ship --pseudonym-key FILE`: it also adds the pseudonyms of older "
        + "events.")
  }

  /// The fleet has those of another key, and a question was asked.
  static func asked(_ address: FleetAddress) -> GatebookError {
    GatebookError(
      .fleetPseudonyms, otherKey(address), kept: "Nothing was changed.",
      remedy: "Give the key that the machines ship with.")
  }

  /// The fleet has those of another key, and a book was shipped.
  static func shipped(_ address: FleetAddress) -> GatebookError {
    GatebookError(
      .fleetPseudonyms, otherKey(address), kept: "The events were sent; no pseudonym was.",
      remedy: "Give the key that the other machines use.")
  }

  private static func otherKey(_ address: FleetAddress) -> String {
    "The fleet at \(address) has pseudonyms under another key."
  }
}
