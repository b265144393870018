/// A form as a browser sends it (WHATWG URL, section 5.2).
enum FormBody {
  /// The body of names and values, in which each byte of a value is encoded.
  static func of(_ pairs: [(String, String)]) -> String {
    pairs.map { "\($0)=\(encoded($1))" }.joined(separator: "&")
  }

  private static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return "%\(digits.count < 2 ? "0" : "")\(digits)"
    }.joined()
  }
}
