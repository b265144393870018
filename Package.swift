// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [],
  resources: [Resource] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, exclude: exclude, resources: resources,
    swiftSettings: strict)
}

let package = Package(
  name: "gatebook",
  products: [
    .library(name: "Gatebook", targets: ["Gatebook"]),
    .library(name: "GatebookCurl", targets: ["GatebookCurl"]),
    .library(name: "GatebookSecretService", targets: ["GatebookSecretService"]),
    .library(name: "GatebookTestSupport", targets: ["GatebookTestSupport"]),
    .executable(name: "gatebook", targets: ["GatebookCLI"]),
    .executable(name: "PreemptiveLogin", targets: ["PreemptiveLogin"]),
    .executable(name: "RememberMe", targets: ["RememberMe"]),
  ],
  targets: [
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    // No system library: it has a line of C that must run before anything else of libcrypto.
    .target(name: "COpenSSL"),
    .systemLibrary(name: "COpenSSLTLS", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CPublicSuffix", providers: [.apt(["libpsl-dev"])]),
    .systemLibrary(name: "CQRCode", providers: [.apt(["libqrencode-dev"])]),
    // Declares what it calls: pkgConfig, which alone finds libsecret's headers, would also link it.
    .systemLibrary(name: "CSecret"),

    module("GatebookEvents"),
    module("GatebookThreads", ["GatebookEvents"]),
    module("GatebookCrypto", ["COpenSSL"]),
    .target(
      name: "GatebookMigrations", path: "Migrations",
      resources: [
        .embedInCode("M0001_event_log.sql"), .embedInCode("M0002_attempts.sql"),
        .embedInCode("M0003_rollups.sql"), .embedInCode("M0004_care.sql"),
        .embedInCode("M0005_continuation.sql"), .embedInCode("M0006_documents.sql"),
        .embedInCode("M0007_packed_snapshots.sql"),
        .embedInCode("M0008_account_clients.sql"),
      ],
      swiftSettings: strict),
    module(
      "GatebookStore",
      ["GatebookEvents", "GatebookThreads", "GatebookCrypto", "GatebookMigrations", "CSQLite"]),
    module("GatebookAuthentication", ["GatebookEvents", "GatebookCrypto", "GatebookThreads"]),
    module(
      "Gatebook",
      [
        "GatebookEvents", "GatebookThreads", "GatebookCrypto", "GatebookStore",
        "GatebookAuthentication",
      ]),
    module(
      "GatebookCurl",
      [
        "GatebookAuthentication", "GatebookEvents", "GatebookThreads", "CCurl", "COpenSSL",
        "CPublicSuffix",
      ]),
    module(
      "GatebookSecretService",
      ["GatebookStore", "GatebookEvents", "GatebookCrypto", "GatebookThreads", "CSecret"]),
    module("GatebookTestSupport", ["Gatebook", "GatebookThreads", "COpenSSLTLS"]),
    .executableTarget(
      name: "GatebookCLI",
      dependencies: [
        "Gatebook", "GatebookCurl", "GatebookSecretService", "GatebookTestSupport",
        "GatebookThreads", "CLinux", "CQRCode",
      ],
      resources: [.embedInCode("Report/Page")],
      swiftSettings: strict),
    .executableTarget(
      name: "GatebookBench",
      dependencies: ["GatebookStore", "GatebookEvents", "GatebookCrypto", "GatebookTestSupport"],
      swiftSettings: strict),

    module(
      "SampleStage", ["Gatebook", "GatebookCurl", "GatebookTestSupport", "GatebookThreads"]),
    .executableTarget(
      name: "PreemptiveLogin", dependencies: ["SampleStage", "Gatebook"], swiftSettings: strict),
    .executableTarget(
      name: "RememberMe", dependencies: ["SampleStage", "Gatebook"], swiftSettings: strict),

    .target(
      name: "FaultyDisk", dependencies: ["CSQLite"], path: "Tests/FaultyDisk",
      swiftSettings: strict),
    .target(
      name: "RecordCorpus", dependencies: ["GatebookEvents"], path: "Tests/RecordCorpus",
      swiftSettings: strict),
    .executableTarget(
      name: "CrashingWriter",
      dependencies: ["GatebookStore", "GatebookEvents", "GatebookCrypto", "FaultyDisk"],
      path: "Tests/CrashingWriter", swiftSettings: strict),
    .executableTarget(
      name: "RouteDrop", dependencies: ["Gatebook"], path: "Tests/RouteDrop",
      swiftSettings: strict),
    tests(
      "GatebookEventsTests", ["GatebookEvents", "GatebookTestSupport"],
      exclude: ["Corpus/events-1.txt", "Corpus/sentences-1.txt"]),
    tests("GatebookCryptoTests", ["GatebookCrypto"]),
    tests(
      "GatebookStoreTests",
      [
        "GatebookStore", "GatebookEvents", "GatebookCrypto", "GatebookMigrations", "FaultyDisk",
        "CrashingWriter", "CSQLite", "Gatebook", "GatebookCurl", "GatebookTestSupport",
      ]),
    tests(
      "GatebookAuthenticationTests",
      ["GatebookAuthentication", "GatebookEvents", "GatebookTestSupport", "RecordCorpus"],
      exclude: ["Records/records-1.txt"], resources: [.embedInCode("Fixtures")]),
    tests(
      "GatebookTests",
      [
        "Gatebook", "GatebookStore", "GatebookCurl", "GatebookTestSupport", "RecordCorpus",
        "RouteDrop",
      ],
      exclude: ["Records/records-1.txt"]),
    tests(
      "GatebookCurlTests",
      [
        "GatebookCurl", "GatebookAuthentication", "GatebookCrypto", "GatebookEvents",
        "GatebookThreads", "GatebookTestSupport", "COpenSSL",
      ]),
    tests(
      "GatebookSecretServiceTests",
      ["GatebookSecretService", "GatebookStore", "GatebookEvents"]),
    tests("GatebookTestSupportTests", ["GatebookTestSupport", "Gatebook", "COpenSSLTLS"]),
    .executableTarget(
      name: "DumpedBook", dependencies: ["Gatebook"], path: "Tests/DumpedBook",
      swiftSettings: strict),
    tests(
      "GatebookCLITests",
      [
        "GatebookCLI", "Gatebook", "GatebookCurl", "GatebookStore", "CSQLite",
        "GatebookTestSupport", "DumpedBook",
      ],
      exclude: ["Snapshots"]),
    .executableTarget(
      name: "CrowdedBook", dependencies: ["Gatebook", "GatebookCurl", "GatebookThreads"],
      path: "Tests/CrowdedBook", swiftSettings: strict),
    tests("GatebookServerTests", ["GatebookCLI", "GatebookTestSupport", "CrowdedBook"]),
    tests(
      "GatebookSampleTests",
      ["PreemptiveLogin", "RememberMe", "Gatebook", "GatebookTestSupport"]),
  ],
  swiftLanguageModes: [.v6]
)
