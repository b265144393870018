package import Gatebook

/// What the command line of a sample says; everything has a default.
package struct SampleOptions: Sendable {
  /// The server with its context path; `nil` starts a fake one on this machine.
  package var server: HTTPURL?
  /// The application's id, as it is registered at the server.
  package var application = "com.example.gatebook"
  /// The folder of the book and its key; `nil` takes one that lives as long as the program.
  package var folder: String?

  /// Reads arguments; `nil` for what no sample understands.
  package init?(_ arguments: [String]) {
    var rest = arguments[...]
    while let name = rest.popFirst() {
      guard let value = rest.popFirst() else { return nil }
      switch name {
      case "--server":
        guard let url = HTTPURL(value) else { return nil }
        server = url
      case "--app": application = value
      case "--book": folder = value
      default: return nil
      }
    }
  }

  /// The options in one line.
  package static func usage(of program: String) -> String {
    "usage: \(program) [--server URL] [--app ID] [--book FOLDER]"
  }
}
