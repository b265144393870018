internal import Testing

/// A real registry of container images on loopback: Debian's docker-registry, which asks for
/// passwords.
final class ImageRegistry {
  let base: String
  private let process: ServerProcess

  /// One for a test alone.
  static func own() throws -> ImageRegistry {
    try ImageRegistry(ServerProcess(own: .registry, environment: [:]))
  }

  private init(_ process: ServerProcess) throws {
    self.process = process
    base = try process.address("base")
  }

  /// Its name in the names of images.
  var host: String { base.replacing("http://", with: "") }

  /// An image to push, as `skopeo` names it.
  var image: String { "oci:\(process.folder)/image:latest" }

  /// The words of a login by `http`.
  func login(_ person: Person) -> [String] {
    ["login", "http", "--url", base + "/v2/", "--user", person.name, "--password-stdin"]
  }
}
