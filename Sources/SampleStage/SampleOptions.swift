package import Gatebook

/// What the command line of a sample says; everything has a default.
package struct SampleOptions: Sendable {
  /// Why a command line cannot be played.
  package enum Refusal: Error, Hashable {
    /// Somebody asks how it is used.
    case help
    /// Something in it is wrong: what.
    case wrong(String)
  }

  /// The server with its context path; `nil` starts a fake one on this machine.
  package var server: HTTPURL?
  /// The application's id, as it is registered at the server.
  package var application = "com.example.gatebook"
  /// The folder of the book and its key; `nil` uses one that exists as long as the program.
  package var folder: String?

  /// Reads arguments.
  ///
  /// - Throws: `Refusal` for what no sample understands.
  package init(_ arguments: [String]) throws(Refusal) {
    guard !arguments.contains("--help") else { throw .help }
    var rest = arguments[...]
    while let name = rest.popFirst() {
      guard ["--server", "--app", "--book"].contains(name) else {
        throw .wrong("Unknown option `\(name)`.")
      }
      guard let value = rest.popFirst() else { throw .wrong("`\(name)` needs a value.") }
      switch name {
      case "--server":
        guard let url = HTTPURL(value) else {
          throw .wrong("`--server` needs a URL such as http://127.0.0.1:9080/mfp.")
        }
        server = url
      case "--app": application = value
      default: folder = value
      }
    }
  }

  /// The options in one line.
  package static func usage(of program: String) -> String {
    "usage: \(program) [--server URL] [--app ID] [--book FOLDER]"
  }
}
