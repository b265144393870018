internal import Gatebook
internal import GatebookCurl
internal import GatebookSystem

extension Examination {
  var program: Observation {
    .good("gatebook", "Version \(CommandTable.version).")
  }

  var curl: Observation {
    guard let library = SharedLibrary("libcurl.so.4") else {
      return .bad(
        "libcurl", "libcurl is not installed, so no server can be reached.",
        "Install libcurl4.")
    }
    return .good("libcurl", library.text(of: "curl_version") ?? "Installed.")
  }

  /// SQLite 3.7.0 to 3.51.2 can lose commits when one races two WAL checkpoints of other
  /// connections (https://sqlite.org/wal.html, "The WAL-reset bug").
  var sqlite: Observation {
    // The process is linked with SQLite, so its own name space knows it.
    let version = SharedLibrary().text(of: "sqlite3_libversion") ?? "unknown"
    let rule = "WAL checkpoints are made only under the writer's lock"
    guard Self.hasWALRace(version) else {
      return .good("SQLite", "Version \(version); \(rule).")
    }
    return .good(
      "SQLite", "Version \(version); \(rule), so its WAL-reset bug cannot occur.",
      "Let only Gatebook write to the book. To look into it, use `sqlite3 -readonly`.")
  }

  /// Whether a version of SQLite has the race.
  static func hasWALRace(_ version: String) -> Bool {
    let parts = version.split(separator: ".").map { Int($0) ?? 0 }
    guard parts.count >= 2 else { return true }
    let number = parts[0] * 1_000_000 + parts[1] * 1000 + (parts.count > 2 ? parts[2] : 0)
    return (3_007_000...3_051_002).contains(number)
  }

  var suffixes: Observation {
    guard PublicSuffixList() == nil else {
      return .good("libpsl", "The list of public suffixes is installed.")
    }
    return .note(
      "libpsl", "libpsl is not installed, so Gatebook accepts only cookies for the exact host.",
      "Install libpsl5.")
  }
}
