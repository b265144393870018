internal import Gatebook
internal import GatebookCurl
internal import Glibc

extension Examination {
  var program: Observation {
    Observation("gatebook", .good, "Version \(CommandTable.version).")
  }

  var curl: Observation {
    guard let handle = dlopen("libcurl.so.4", RTLD_LAZY) else {
      return Observation(
        "libcurl", .bad, "libcurl is not installed: no server can be reached.",
        remedy: "Install libcurl4.")
    }
    defer { dlclose(handle) }
    return Observation("libcurl", .good, Self.text("curl_version", in: handle) ?? "Installed.")
  }

  /// SQLite 3.7.0 to 3.51.2 can lose commits when one races two WAL checkpoints of other connections
  /// (https://sqlite.org/wal.html, "The WAL-reset bug").
  var sqlite: Observation {
    // The process is linked with SQLite, so its own name space knows it.
    let version = Self.text("sqlite3_libversion", in: nil) ?? "unknown"
    let rule = "WAL checkpoints are made only under the writer's lock"
    guard Self.hasWALRace(version) else {
      return Observation("SQLite", .good, "Version \(version); \(rule).")
    }
    return Observation(
      "SQLite", .good,
      "Version \(version); \(rule), which its WAL-reset bug cannot pass.",
      remedy: "Open the book for writing with nothing but Gatebook; look into it with "
        + "`sqlite3 -readonly`.")
  }

  /// Whether a version of SQLite has the race.
  static func hasWALRace(_ version: String) -> Bool {
    let parts = version.split(separator: ".").map { Int($0) ?? 0 }
    guard parts.count >= 2 else { return true }
    let number = parts[0] * 1_000_000 + parts[1] * 1000 + (parts.count > 2 ? parts[2] : 0)
    return (3_007_000...3_051_002).contains(number)
  }

  /// What a library's function without arguments says.
  private static func text(_ function: String, in library: UnsafeMutableRawPointer?) -> String? {
    typealias Function = @convention(c) () -> UnsafePointer<CChar>?
    guard let symbol = dlsym(library, function) else { return nil }
    return unsafeBitCast(symbol, to: Function.self)().map { String(cString: $0) }
  }

  var suffixes: Observation {
    guard PublicSuffixList() == nil else {
      return Observation("libpsl", .good, "The list of public suffixes is installed.")
    }
    return Observation(
      "libpsl", .note, "libpsl is not installed: a cookie's domain must then be the host itself.",
      remedy: "Install libpsl5.")
  }
}
