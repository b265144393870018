internal import GatebookAuthentication

/// A list of public suffixes as long as a test needs.
struct KnownSuffixes: PublicSuffixes {
  let names: Set<String>

  init(_ names: Set<String> = ["com", "uk", "co.uk", "github.io", "localhost"]) {
    self.names = names
  }

  func contains(_ domain: String) -> Bool { names.contains(domain) }
}
