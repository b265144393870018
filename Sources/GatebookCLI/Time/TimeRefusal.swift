internal import Gatebook
internal import GatebookSystem

/// Why a text is no time that Gatebook reads: what could be two moments is never guessed.
struct TimeRefusal {
  /// What could not be read, in lower case.
  let words: [String]
  /// The midnight that began today, in the reader's zone.
  let today: CivilTime

  /// What is wrong with it, with the forms there are.
  var error: UsageError {
    UsageError(
      reason
        ?? "`\(Printable.text(words.joined(separator: " ")))` is not a time that Gatebook can read.",
      remedy:
        "Write `2h ago` or `30m`, `last 2 hours`, `2 months ago`, `last week`, `14:00`, `noon`, "
        + "`yesterday 14:00`, `monday`, `last monday 9:15`, `20 nov`, `2025-11`, `2025-11-20`, "
        + "`2025-11-20 14:00`, `2025-11-20T14:00:05Z`, `20 Nov 2025 14:00:05 +0100`, `@1763647205` or "
        + "`now`.")
  }

  private var reason: String? {
    if words.contains(where: Self.isOfNumbers) {
      return "Write the year first, as in 2025-11-20: otherwise day and month could be confused."
    }
    if let fault = SpokenTime(words)?.fault(today) { return fault }
    if words.contains(where: Self.zones.contains) {
      return
        "Gatebook knows only the zone names UTC and GMT, because others are ambiguous. Write an "
        + "offset such as +01:00."
    }
    if words.contains(where: { $0.first == "@" }) {
      return "After `@`, write seconds since 1970, with at most 11 digits."
    }
    if words.count == 1, words[0].count > 8, words[0].allSatisfy(\.isNumber) {
      return "Write `@` before seconds since 1970."
    }
    return nil
  }

  /// `02/03/2026`, `2.3.26`, `02-03-2026`.
  private static func isOfNumbers(_ word: String) -> Bool {
    let number = "[0-9]{1,2}"
    let form = Pattern("^\(number)(/\(number)/|[.]\(number)[.]|-\(number)-)([0-9]{2}|[0-9]{4})$")
    return form.match(in: word) != nil
  }

  /// Those of the places where most people are: each is short for zones of several continents, or
  /// is what only half of the year is by.
  private static let zones: Set<String> = [
    "bst", "cdt", "cest", "cet", "cst", "edt", "eest", "eet", "est", "ist", "jst", "mdt", "msk",
    "mst",
    "pdt", "pst", "west", "wet",
  ]
}
