internal import Glibc

/// A POSIX extended regular expression, as the C library reads it: see regex(7).
///
/// ```swift
/// let time = Pattern("^([0-9]{1,2}):([0-9]{2})$")
/// time.match(in: "9:15")?[1]  // "9"
/// ```
///
/// Swift's own regular expressions would make the command 0.8 MB larger. Unlike those, a POSIX
/// expression takes the longest of all matches that begin first, and counts bytes: so it names
/// other characters than those of ASCII only by leaving some of ASCII out.
package final class Pattern {
  /// Where an expression fits.
  package struct Match {
    fileprivate let groups: [Substring?]

    /// All of it.
    package var whole: Substring { groups[0] ?? "" }

    /// What a group in brackets, counted from 1, has matched; `nil` for a group that was not used.
    package subscript(group: Int) -> Substring? { groups[group] }
  }

  private var compiled = regex_t()

  /// Reads an expression of this program.
  package init(_ text: String, ignoresCase: Bool = false) {
    let code = regcomp(&compiled, text, REG_EXTENDED | (ignoresCase ? REG_ICASE : 0))
    precondition(code == 0, "not a regular expression: \(text)")
  }

  deinit { regfree(&compiled) }

  /// The first place where it fits.
  ///
  /// - Parameter text: Any text; `^` is its start, and `$` its end.
  /// - Returns: `nil` where it fits nowhere.
  package func match(in text: some StringProtocol) -> Match? {
    let text = Substring(text)
    var places = [regmatch_t](repeating: regmatch_t(), count: compiled.re_nsub + 1)
    let find = { (bytes: UnsafeBufferPointer<UInt8>) -> Bool in
      // The end counts, and not the first U+0000.
      places[0] = regmatch_t(rm_so: 0, rm_eo: regoff_t(bytes.count))
      return bytes.withMemoryRebound(to: CChar.self) { characters in
        var nothing: CChar = 0
        return withUnsafePointer(to: &nothing) { empty in
          regexec(
            &self.compiled, characters.baseAddress ?? empty, places.count, &places, REG_STARTEND)
            == 0
        }
      }
    }
    let isFound = text.utf8.withContiguousStorageIfAvailable(find)
    guard isFound ?? Array(text.utf8).withUnsafeBufferPointer(find) else { return nil }
    let start = text.utf8.startIndex
    return Match(
      groups: places.map { place in
        guard place.rm_so >= 0 else { return nil }
        let first = text.utf8.index(start, offsetBy: Int(place.rm_so))
        return text[first..<text.utf8.index(start, offsetBy: Int(place.rm_eo))]
      })
  }

  /// All places where it fits, one after the other: none of them is empty.
  package func matches(in text: some StringProtocol) -> [Match] {
    var matches: [Match] = []
    var rest = Substring(text)
    while let match = match(in: rest), !match.whole.isEmpty {
      matches.append(match)
      rest = rest[match.whole.endIndex...]
    }
    return matches
  }

  /// The text with another one for each place where it fits.
  package func replace(in text: String, by other: (Match) -> String) -> String {
    var replaced = ""
    var rest = text.startIndex
    for match in matches(in: text) {
      replaced += text[rest..<match.whole.startIndex] + other(match)
      rest = match.whole.endIndex
    }
    return replaced + text[rest...]
  }
}
