public import Gatebook
internal import Glibc

extension TestCertificate {
  /// The paths of the two PEM files of a certificate.
  public struct Files: Hashable, Sendable {
    /// The file of the certificate.
    public let certificate: String
    /// The file of the private key, for its owner alone.
    public let key: String
  }

  /// Writes the certificate and the key as PEM files, in place of files of the same names.
  ///
  /// - Parameters:
  ///   - folder: A folder that exists.
  ///   - name: What both files are called; `.pem` and `.key.pem` are added.
  /// - Returns: The paths.
  /// - Throws: `configuration.invalid` when a file cannot be written.
  public func write(to folder: String, as name: String) throws(GatebookError) -> Files {
    let files = Files(certificate: "\(folder)/\(name).pem", key: "\(folder)/\(name).key.pem")
    try Self.write(pem, to: files.certificate, mode: 0o644)
    try Self.write(keyPEM, to: files.key, mode: 0o600)
    return files
  }

  private static func write(
    _ text: String, to path: String, mode: mode_t
  ) throws(GatebookError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw refused(path) }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let failure = refused(path)
        close(descriptor)
        throw failure
      }
      rest = rest.dropFirst(count)
    }
    close(descriptor)
  }

  private static func refused(_ path: String) -> GatebookError {
    let reason = errno
    return GatebookError(
      .configurationInvalid, "The file \(path) cannot be written.",
      remedy: "Choose a folder that exists and is yours.", cause: "errno \(reason)")
  }
}
