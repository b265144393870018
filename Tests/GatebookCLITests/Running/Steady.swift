/// Replaces what differs from run to run, so that columns stay where they are: times, identities,
/// ports, process numbers.
enum Steady {
  /// The text with everything replaced.
  static func text(_ text: String, folder: String? = nil) -> String {
    var text = text
    if let folder {
      text = text.split(separator: folder, omittingEmptySubsequences: false).joined(
        separator: "<folder>")
    }
    text.replace(
      /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/, with: "YYYY-MM-DDThh:mm:ss.uuuuuuZ")
    // A line may end between a day and its time.
    text.replace(/\d{4}-\d\d-\d\d(\s)\d\d:\d\d:\d\d/) { "YYYY-MM-DD\($0.output.1)hh:mm:ss" }
    text.replace(/\(\d+ \w+( \d+ \w+)? ago\)/, with: "(just now)")
    text.replace(/("day":")\d{4}-\d\d-\d\d/) { "\($0.output.1)YYYY-MM-DD" }
    text.replace(/^\d{4}-\d\d-\d\d/.anchorsMatchLineEndings(), with: "YYYY-MM-DD")
    text.replace(/sha256\/[A-Za-z0-9+\/]{43}=/, with: "sha256/<key>")
    text.replace(/"port":\d+/, with: "\"port\":0")
    text.replace(/"process":\d+/, with: "\"process\":0")
    text.replace(/process \d+/, with: "process 0")
    text.replace(/port \d+(\s+)after \d+ ms/) { "port 0\($0.output.1)after 0 ms" }
    text.replace(/("boot":|boot=|boot +)\d+/) { "\($0.output.1)0" }
    text.replace(/("bootID":"|bootID=|bootID +)[0-9a-f]{16}/) { "\($0.output.1)<boot>" }
    text.replace(/("sent":)\d+/) { "\($0.output.1)0" }
    text.replace(/("expires":|expires=)\d+/) { "\($0.output.1)0" }
    // These begin with the time: whether two of them begin alike depends on the minute.
    text.replace(/("position":\d+,"id":)"[0-9a-f]{32}"/) { "\($0.output.1)\"<event id>\"" }
    text.replace(/("id":|"uid":)"[0-9a-f]{32}"(,"sequence"|,"source")/) {
      "\($0.output.1)\"<event id>\"\($0.output.2)"
    }
    text.replace(/,[0-9a-f]{32}(,gatebook,[^,]+,[0-9a-f]{32},)\d+,/) {
      ",<event id>\($0.output.1)0,"
    }
    text.replace(/("time":)\d{13}/) { "\($0.output.1)0" }
    text.replace(/(""(boot|sent|expires)"":)\d+/) { "\($0.output.1)0" }
    text.replace(/(""bootID"":"")[0-9a-f]{16}/) { "\($0.output.1)<boot>" }
    text = numbered(text, /(127\.0\.0\.1:)(\d{4,5})/) { number, _ in "1000\(number)" }
    // Identities by their first eight digits, so that an id and its beginning stay the same one.
    return numbered(text, /(\b)([0-9a-f]{64}|[0-9a-f]{32}|[0-9a-f]{8})\b/) { number, count in
      let digits = String(number)
      return String(repeating: "0", count: 8 - digits.count) + digits
        + String(repeating: "x", count: count - 8)
    }
  }

  private static func numbered(
    _ text: String, _ pattern: Regex<(Substring, Substring, Substring)>,
    _ name: (_ number: Int, _ count: Int) -> String
  ) -> String {
    var numbers: [Substring: Int] = [:]
    // Simple boundaries: by Unicode's rules there is none between a digit, a dot and a letter.
    return text.replacing(pattern.wordBoundaryKind(.simple)) { match in
      let key = match.output.2.prefix(8)
      let number = numbers[key] ?? numbers.count + 1
      numbers[key] = number
      return match.output.1 + name(number, match.output.2.count)
    }
  }
}
